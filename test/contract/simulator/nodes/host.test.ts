import { describe, expect, test } from "vitest";
import { call } from "../client.ts";
import { lab, labSeed } from "../lab.ts";

const seed = {
  ...labSeed,
  users: [...labSeed.users, { userid: "boss@pam", password: "secret" }].map((user) =>
    user.userid === "root@pam" ? { ...user, password: "secret" } : user,
  ),
  acl: [...labSeed.acl, { path: "/", type: "user", ugid: "boss@pam", roleid: "Administrator" }],
  guests: [
    ...labSeed.guests,
    { vmid: 202, node: "pve2", running: 1, config: { name: "boots", onboot: 1, net0: "virtio,bridge=vmbr0" } },
    { vmid: 203, node: "pve2", type: "lxc", running: 1, config: { hostname: "ct", net0: "name=eth0,bridge=vmbr0" } },
  ],
};

const at = lab(seed, 50);
const { ask } = at;

const slow = { timeout: 5000 };

/** As a person who logs in, since some calls are not for tokens. */
async function askAs(username: string, line: string, form: Record<string, string> = {}) {
  const login = await call(at.simulator, "POST", "/access/ticket", {
    token: null,
    form: { username, password: "secret" },
  });
  const { ticket, CSRFPreventionToken: csrf } = login.body.data as { ticket: string; CSRFPreventionToken: string };
  const [method = "", path = ""] = line.split(" ");
  const headers = { Cookie: `PVEAuthCookie=${encodeURIComponent(ticket)}`, CSRFPreventionToken: csrf };
  const { status, body } = await call(at.simulator, method, path, { token: null, headers, form });
  const details = Object.values(body.errors ?? {}).join("");
  return status === 200 ? body.data : `${status} ${body.message?.trimEnd()}${details}`;
}

describe("a node that is rebooted", () => {
  test("takes its guests down, comes back and starts those with onboot", async () => {
    expect(await ask("POST /nodes/pve2/status", { command: "reboot" })).toBeNull();
    await expect.poll(async () => (await at.answer("GET /nodes/pve2/status")).status).toBe(595);
    const listed = (await ask("GET /nodes")) as { node: string; status: string }[];
    expect(listed.find(({ node }) => node === "pve2")).toMatchObject({ status: "offline" });
    await expect.poll(async () => (await at.answer("GET /nodes/pve2/status")).status, slow).toBe(200);
    await expect.poll(() => ask("GET /nodes/pve2/qemu/202/status/current"), slow).toMatchObject({ status: "running" });
    expect(await ask("GET /nodes/pve2/qemu/201/status/current")).toMatchObject({ status: "stopped" });
    const tasks = (await ask("GET /nodes/pve2/tasks?typefilter=startall")) as object[];
    expect(tasks).toEqual([expect.objectContaining({ user: "root@pam", type: "startall" })]);
  });

  test("resets connections if it is the one that answers", async () => {
    expect(await ask("POST /nodes/pve1/status", { command: "reboot" })).toBeNull();
    const outcome = () =>
      at.answer("GET /version").then(
        ({ status }) => String(status),
        (error: Error) => error.message,
      );
    await expect.poll(outcome).toMatch(/socket hang up|ECONNRESET/);
    await expect.poll(outcome, slow).toBe("200");
  });

  test("stays away after a shutdown until it is woken", async () => {
    await ask("PUT /nodes/pve2/config", { wakeonlan: "BC:24:11:00:00:01" });
    await ask("POST /nodes/pve2/status", { command: "shutdown" });
    await expect.poll(async () => (await at.answer("GET /nodes/pve2/status")).status).toBe(595);
    expect(await ask("POST /nodes/pve2/wakeonlan")).toBe("BC:24:11:00:00:01");
    await expect.poll(async () => (await at.answer("GET /nodes/pve2/status")).status, slow).toBe(200);
    expect(await ask("POST /nodes/pve2/status", { command: "shutdown" }, "auditor@pve!tk")).toBe(
      "403 Permission check failed (/nodes/pve2, Sys.PowerMgmt)",
    );
  });
});

describe("several calls in one request", () => {
  test("are answered one by one, and are for root alone", async () => {
    const commands = JSON.stringify([
      { method: "GET", path: "qemu/200/config" },
      { method: "PUT", path: "qemu/200/config", args: { cores: "none" } },
      { method: "PUT", path: "qemu/200/config", args: { cores: 3 } },
      { method: "GET", path: "qemu/200/config", args: { vmid: 201 } },
      { method: "GET", path: "nothing" },
    ]);
    expect(await askAs("root@pam", "POST /nodes/pve1/execute", { commands })).toEqual([
      { status: 200, data: expect.objectContaining({ name: "web" }) },
      { status: 400, message: "Parameter verification failed.\n", errors: { cores: expect.stringMatching(/integer/) } },
      { status: 200, data: null },
      { status: 400, message: "Parameter verification failed.\n", errors: { vmid: "duplicate parameter" } },
      { status: 500, message: "no handler for 'nodes/pve1/nothing'\n" },
    ]);
    expect(await ask("GET /nodes/pve1/qemu/200/config")).toMatchObject({ cores: 3 });
    expect(await ask("POST /nodes/pve1/execute", { commands })).toMatch(/^403 /);
  });

  test.each([
    ["{", "commands param did not contain valid JSON"],
    ["{}", "type check ('array') failed"],
    ["[1]", "[0]: type check ('object') failed"],
    ['[{"method":"PATCH","path":"x"}]', "[0].method: value does not match the regex pattern"],
    ['[{"method":"GET"}]', "[0].path: property is missing and it is not optional"],
    ['[{"method":"GET","path":"x","args":[]}]', "[0].args: type check ('object') failed"],
  ])("%s is refused", async (commands, expected) => {
    expect(await askAs("root@pam", "POST /nodes/pve1/execute", { commands })).toContain(expected);
  });
});

describe("figures of a node", () => {
  test("list the cards of running guests", async () => {
    expect(await ask("GET /nodes/pve2/netstat")).toEqual([
      { vmid: "202", dev: "net0", in: "0", out: "0" },
      { vmid: "203", dev: "net0", in: "0", out: "0" },
    ]);
  });

  test("are exported with those of guests and storages", async () => {
    const read = async (query = "") =>
      ((await ask(`GET /cluster/metrics/export${query}`)) as { data: { id: string; metric: string; type: string }[] })
        .data;
    const all = await read();
    const of = (id: string) => all.filter((entry) => entry.id === id);
    expect(of("node/pve1").map(({ metric }) => metric)).toEqual(
      expect.arrayContaining(["uptime", "net_in", "cpu_max", "mem_total", "disk_used"]),
    );
    expect(of("qemu/202")).toContainEqual(expect.objectContaining({ metric: "disk_read", type: "derive" }));
    expect(of("qemu/200").map(({ metric }) => metric)).toEqual(["uptime", "cpu_max", "mem_total", "disk_total"]);
    expect(of("lxc/203")).toContainEqual(expect.objectContaining({ metric: "disk_used", type: "gauge" }));
    expect(of("storage/pve2/thin")).toHaveLength(2);
    expect((await read("?local-only=1")).some(({ id }) => id === "node/pve2")).toBe(false);
    expect((await read("?node-list=pve2")).some(({ id }) => id === "node/pve1")).toBe(false);
    expect(await read(`?start-time=${Math.ceil(Date.now() / 1000) + 3600}`)).toEqual([]);
    expect(await ask("GET /cluster/metrics/export?node-list=pve9")).toBe(
      "500 Requested node-list contains unknown nodes - pve9",
    );
  });
});

describe("a shell of a node", () => {
  test("has a ticket and a port, for people who log in", async () => {
    expect(await askAs("root@pam", "POST /nodes/pve1/vncshell", { websocket: "1", cmd: "upgrade" })).toMatchObject({
      user: "root@pam",
      ticket: expect.stringMatching(/^.{8}:PVEVNC:/),
      password: expect.any(String),
      upid: expect.stringMatching(/:vncshell::root@pam:/),
    });
    expect(await askAs("boss@pam", "POST /nodes/pve1/vncshell", { cmd: "upgrade" })).toBe(
      "403 Permission check failed (user != root@pam)",
    );
    expect(await ask("POST /nodes/pve1/vncshell")).toBe(
      "500 value 'root@pam!admin' does not look like a valid user name",
    );
    expect(await ask("POST /nodes/pve1/termproxy")).toMatchObject({ user: "root@pam!admin" });
    expect(await askAs("boss@pam", "POST /nodes/pve2/spiceshell")).toMatchObject({
      type: "spice",
      title: "Shell on 'pve2'",
      proxy: "http://pve2:3128",
    });
    expect(await ask("GET /nodes/pve1/vncwebsocket?port=5900&vncticket=x")).toMatch(/^401 /);
  });
});
