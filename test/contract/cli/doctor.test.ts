import { once } from "node:events";
import { createServer as createSecureServer } from "node:https";
import { createServer } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Simulator, startSimulator } from "#simulator";
import { run } from "../../../src/cli/doctor/doctor.ts";
import { makeServerIdentity } from "../../../src/simulator/core/http/certificate.ts";
import { typeCommands } from "../pveum.ts";
import { type Seen, type, variablesFor } from "./person.ts";

let simulator: Simulator;
let stranger: Simulator;

/** A refused login takes three seconds on a real host; the tests skip that wait. */
const speed = 100;

beforeAll(async () => {
  simulator = await startSimulator({ speed });
  stranger = await startSimulator();
});
beforeEach(() => simulator.reset());
afterAll(async () => {
  await simulator.close();
  await stranger.close();
});

const doctor = (more: Record<string, string> = {}, args: string[] = []): Promise<Seen> =>
  type(run, args, { ...variablesFor(simulator), ...more });

/** One finding in the printed JSON. */
interface Line {
  readonly check: string;
  readonly subject?: string;
  readonly verdict: string;
  readonly said: string;
  readonly cure: readonly string[];
}

/** The findings by check, and the exit code. */
async function examine(more: Record<string, string> = {}, now?: () => number) {
  const { code, stdout } = await type((args, around) => run(args, around, now), ["--json"], {
    ...variablesFor(simulator),
    ...more,
  });
  const { checks } = JSON.parse(stdout) as { checks: Line[] };
  return { code, of: (check: string) => checks.filter((result) => result.check === check) };
}

const token = (id: string) => ({ PROXMOX_VE_API_TOKEN: simulator.tokens[id] ?? "" });

const everyCheck = [
  ...["settings", "credentials", "name", "connection", "certificate", "api", "login", "version", "clock"],
  ...["token", "privileges", "storages", "bridges", "templates", "unfinished"],
];

describe("a working cluster", () => {
  it("passes every check, and the exit code is 0", async () => {
    const { code, of } = await examine(token("root@pam!admin"));
    expect(code).toBe(0);
    for (const check of everyCheck) {
      expect([...new Set(of(check).map(({ verdict }) => verdict))], check).toEqual(["ok"]);
    }
  });

  it("is shown as a table", async () => {
    const { code, stdout } = await doctor();
    expect(code).toBe(0);
    expect(stdout).toContain("✔ version      Proxmox VE 9.2.11\n");
    expect(stdout).toContain(
      "✔ storages     disks: `ceph`, `local-lvm`, `local-zfs`, `nas`\n✔              ISO images:",
    );
    expect(stdout).toContain(
      "!              may not manage high availability\n               This requires Sys.Console on /: `doctor role --with ha` prints the commands.\n",
    );
    expect(stdout).toMatch(/\nNo problems, but read the lines with an exclamation mark\.\n$/);
  });

  it("never prints a secret", async () => {
    for (const args of [[], ["--json"]]) {
      const { stdout, stderr } = await doctor({}, args);
      expect(stdout + stderr).not.toContain("00000000-0000-4000-8000-000000000002");
    }
  });
});

describe("problems of the connection", () => {
  const closed = async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as { port: number };
    await new Promise((resolve) => server.close(resolve));
    return `https://127.0.0.1:${port}`;
  };
  const rows: [
    what: string,
    variables: () => Promise<Record<string, string>>,
    check: string,
    said: RegExp,
    cure: RegExp,
  ][] = [
    [
      "an unknown host",
      async () => ({ PROXMOX_VE_ENDPOINT: "https://pve.invalid:8006" }),
      "name",
      /pve\.invalid/,
      /getent hosts pve\.invalid/,
    ],
    [
      "a closed port",
      async () => ({ PROXMOX_VE_ENDPOINT: await closed() }),
      "connection",
      /nothing listens on port \d+ of 127\.0\.0\.1/,
      /systemctl status pveproxy/,
    ],
    [
      "an unknown authority",
      async () => ({ PROXMOX_VE_CA_CERTIFICATE: "" }),
      "certificate",
      /issued by "Proxmox VE API simulator CA", an authority that this machine does not trust/,
      /scp root@127\.0\.0\.1:\/etc\/pve\/pve-root-ca\.pem \..*export PROXMOX_VE_CA_CERTIFICATE=/s,
    ],
    [
      "another cluster's authority",
      async () => ({ PROXMOX_VE_CA_CERTIFICATE: stranger.caCertificate }),
      "certificate",
      /which is not the authority in PROXMOX_VE_CA_CERTIFICATE/,
      /pve-root-ca\.pem/,
    ],
    [
      "a certificate for other names",
      async () => ({ PROXMOX_VE_ENDPOINT: simulator.url.replace("127.0.0.1", "127.0.0.2") }),
      "certificate",
      /it is for localhost, 127\.0\.0\.1, .*pve1, pve2, pve3, not for 127\.0\.0\.2/,
      /Use one of these in PROXMOX_VE_ENDPOINT.*PROXMOX_VE_TLS_FINGERPRINT=([0-9A-F]{2}:){31}/s,
    ],
    [
      "a pinned certificate that was replaced",
      async () => ({ PROXMOX_VE_TLS_FINGERPRINT: "ab".repeat(32) }),
      "certificate",
      /it does not match PROXMOX_VE_TLS_FINGERPRINT; its fingerprint is ([0-9A-F]{2}:){31}/,
      /openssl x509 -noout -fingerprint -sha256/,
    ],
  ];

  it.each(rows)(
    "%s is reported with advice, and the following checks are skipped",
    async (_, variables, check, said, cure) => {
      const { code, of } = await withSecondAddress(await variables());
      expect(code).toBe(1);
      const [found] = of(check);
      expect(found).toMatchObject({ verdict: "failed" });
      expect(found?.said).toMatch(said);
      expect(found?.cure.join("\n")).toMatch(cure);
      for (const later of everyCheck.slice(everyCheck.indexOf("api"))) {
        expect(of(later), later).toMatchObject([{ verdict: "skipped", waits_for: check }]);
      }
    },
  );

  /** 127.0.0.2 is this machine too, and in no certificate of the simulator. */
  async function withSecondAddress(variables: Record<string, string>) {
    if (!variables["PROXMOX_VE_ENDPOINT"]?.includes("127.0.0.2")) return examine(variables);
    const other = await startSimulator({ host: "127.0.0.2" });
    const { of, code } = await examine({
      PROXMOX_VE_ENDPOINT: other.url,
      PROXMOX_VE_CA_CERTIFICATE: other.caCertificate,
    });
    await other.close();
    return { of, code };
  }

  it("a server without TLS is reported", async () => {
    const server = createServer((socket) => {
      socket.on("error", () => socket.destroy()).end("SSH-2.0-OpenSSH_10.0\r\n");
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as { port: number };
    const { of } = await examine({ PROXMOX_VE_ENDPOINT: `https://127.0.0.1:${port}` });
    server.close();
    expect(of("certificate")).toMatchObject([
      { verdict: "failed", said: expect.stringMatching(/^the server does not support TLS: \w+$/) },
    ]);
  });

  it("a server that is not Proxmox VE is reported", async () => {
    const { key, cert, caCertificate } = makeServerIdentity(["127.0.0.1"]);
    const server = createSecureServer({ key, cert }, (_, response) => response.end("<h1>Welcome to nginx!</h1>"));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as { port: number };
    const variables = { PROXMOX_VE_ENDPOINT: `https://127.0.0.1:${port}`, PROXMOX_VE_CA_CERTIFICATE: caCertificate };
    const { of } = await examine(variables);
    server.close();
    expect(of("certificate")).toMatchObject([{ verdict: "ok" }]);
    expect(of("api")).toMatchObject([{ verdict: "failed", cure: [expect.stringContaining("not the Proxmox VE API")] }]);
  });

  it("an unverified certificate is only a notice", async () => {
    const { code, of } = await examine({ PROXMOX_VE_CA_CERTIFICATE: "", PROXMOX_VE_INSECURE: "true" });
    expect(code).toBe(0);
    expect(of("certificate")).toMatchObject([
      { verdict: "notice", said: expect.stringContaining("PROXMOX_VE_INSECURE") },
    ]);
  });

  it("an endpoint that is down is reported although another is used", async () => {
    const dead = await closed();
    const { code, of } = await examine({ PROXMOX_VE_ENDPOINTS: `${dead},${simulator.url}` });
    expect(code).toBe(1);
    expect(of("connection").map(({ subject, verdict }) => [subject, verdict])).toEqual([
      [dead, "failed"],
      [simulator.url, "ok"],
    ]);
    expect(of("login")).toMatchObject([{ verdict: "ok" }]);
  });
});

describe("missing privileges", () => {
  it("a wrong secret is reported with the commands for a new one", async () => {
    const { code, of } = await examine({
      PROXMOX_VE_API_TOKEN: "terraform@pve!tf=00000000-0000-4000-8000-00000000dead",
    });
    expect(code).toBe(1);
    expect(of("api")).toMatchObject([{ verdict: "ok" }]);
    expect(of("login")).toMatchObject([
      { verdict: "failed", said: "terraform@pve!tf is refused: Authentication failed!" },
    ]);
    expect(of("login")[0]?.cure.join("\n")).toContain("pveum user token add terraform@pve tf");
    expect(of("templates")).toMatchObject([{ verdict: "skipped", waits_for: "login" }]);
  });

  it("a token without any privileges learns that templates are hidden, not missing", async () => {
    const { code, of } = await examine(token("noacl@pve!tf"));
    expect(code).toBe(1);
    expect(of("login")).toMatchObject([{ verdict: "ok" }]);
    expect(of("privileges").filter(({ verdict }) => verdict === "ok")).toEqual([]);
    expect(of("storages")).toMatchObject([{ verdict: "failed", said: "no storage is visible" }]);
    expect(of("bridges")).toMatchObject([{ verdict: "failed", said: "no bridge is visible" }]);
    expect(of("templates")).toMatchObject([{ verdict: "failed", said: "no VM is visible: VM.Audit is missing" }]);
  });

  it.each([
    ["VM.Clone", "may not clone a template", "This requires VM.Clone on /vms: `doctor role` prints the commands."],
    [
      "VM.PowerMgmt",
      "may not start, stop and restart a VM",
      "This requires VM.PowerMgmt on /vms: `doctor role` prints the commands.",
    ],
    ["SDN.Use", "may not clone a template", "This requires SDN.Use on /sdn/zones: `doctor role` prints the commands."],
  ])("without %s it %s", async (privilege, said, cure) => {
    const role = simulator.sim.world.access.roles["Provisioner"];
    expect(role).toContain(privilege);
    role?.splice(role.indexOf(privilege as never), 1);
    const { code, of } = await examine();
    expect(code).toBe(1);
    expect(of("privileges")).toContainEqual(expect.objectContaining({ verdict: "failed", said, cure: [cure] }));
  });

  it("privileges on a pool apply there", async () => {
    const { access } = simulator.sim.world;
    access.acl.push({ path: "/pool/web", type: "user", ugid: "noacl@pve", roleid: "PVEVMAdmin", propagate: true });
    const { of } = await examine(token("noacl@pve!tf"));
    expect(of("privileges")).toContainEqual(
      expect.objectContaining({
        verdict: "ok",
        said: "may start, stop and restart a VM, with privileges on /pool/web only",
      }),
    );
  });
});

describe("bridges", () => {
  const grant = (path: string, roleid: string) =>
    void simulator.sim.world.access.acl.push({ path, type: "user", ugid: "noacl@pve", roleid, propagate: true });

  it.each<[what: string, path: string, role: string, verdict: string, said: string]>([
    ["one VLAN", "/sdn/zones/localnetwork/vmbr0/20", "PVESDNUser", "ok", "network cards can use `vmbr0`"],
    ["one of two", "/sdn/zones/localnetwork/vmbr1", "PVESDNUser", "ok", "network cards can use `vmbr1`"],
    ["all, read only", "/sdn/zones", "PVEAuditor", "notice", "visible, but not usable: `vmbr0`, `vmbr1`"],
  ])("of which the caller may use %s", async (_, path, role, verdict, said) => {
    grant(path, role);
    expect((await examine(token("noacl@pve!tf"))).of("bridges")).toMatchObject([{ verdict, said }]);
  });

  it("that are usable are distinguished from those that are only visible", async () => {
    grant("/sdn/zones", "PVEAuditor");
    grant("/sdn/zones/localnetwork/vmbr0", "PVESDNUser");
    expect((await examine(token("noacl@pve!tf"))).of("bridges")).toMatchObject([
      { verdict: "notice", said: "network cards can use `vmbr0`, not on `vmbr1`" },
    ]);
  });
});

it("guests that interrupted creates have left are named, and how to remove them", async () => {
  const mark = "<!-- terraform-provider-proxmox: being made, 01234567-89ab-cdef-0123-456789abcdef -->";
  const [guest] = Object.values(simulator.sim.world.guests);
  if (!guest) throw new Error("the cluster has no guest");
  delete guest.config["template"];
  guest.config["description"] = `web\n\n${mark}\n`;
  const { code, of } = await examine(token("root@pam!admin"));
  expect(code).toBe(0);
  const [found, ...others] = of("unfinished");
  expect(others).toEqual([]);
  expect(found).toMatchObject({ verdict: "notice", said: expect.stringContaining(` ${guest.vmid} (`) });
  expect(found?.cure.join()).toContain(`destroy ${guest.vmid} --purge`);
});

it("a cluster without a template is distinguished from one with hidden templates", async () => {
  for (const guest of Object.values(simulator.sim.world.guests)) delete guest.config["template"];
  const { code, of } = await examine();
  expect(code).toBe(0);
  expect(of("templates")).toMatchObject([{ verdict: "notice", said: "no template is visible, among 3 VMs" }]);
});

describe("privilege separation", () => {
  const separate = () => {
    const entry = simulator.sim.world.access.users["terraform@pve"]?.tokens["tf"];
    if (entry) entry.privsep = true;
  };
  const grant = (type: "user" | "token", ugid: string, roleid: string, path = "/") =>
    void simulator.sim.world.access.acl.push({ path, type, ugid, roleid, propagate: true });

  it("is reported with the owner's additional privileges", async () => {
    separate();
    grant("token", "terraform@pve!tf", "PVEAuditor");
    const { of } = await examine();
    const [found] = of("token");
    expect(found).toMatchObject({ verdict: "notice" });
    expect(found?.said).toMatch(/^privilege separation is on, and terraform@pve has more: .*VM\.Clone/);
    expect(found?.cure.join("\n")).toContain("pveum user token modify terraform@pve tf --privsep 0");
  });

  it("of a token that may see its own entry is read from that", async () => {
    grant("user", "terraform@pve", "PVEUserAdmin", "/access");
    expect((await examine()).of("token")).toMatchObject([
      { verdict: "ok", said: "no privilege separation: terraform@pve!tf has the privileges of terraform@pve" },
    ]);
  });

  it("does not concern a user without a token", async () => {
    const variables = {
      PROXMOX_VE_API_TOKEN: "",
      PROXMOX_VE_USERNAME: "terraform@pve",
      PROXMOX_VE_PASSWORD: "terraform",
    };
    const said = "no token: terraform@pve acts with its own privileges";
    expect((await examine(variables)).of("token")).toMatchObject([{ verdict: "ok", said }]);
  });
});

describe("the server itself", () => {
  it.each([
    ["behind", 600, "failed", "the server's clock is 600 s behind this machine's"],
    ["ahead", -60, "notice", "the server's clock is 60 s ahead of this machine's"],
  ])("whose clock is %s is reported with the difference", async (_, seconds, verdict, said) => {
    const { of } = await examine({}, () => Date.now() + seconds * 1000);
    expect(of("clock")).toMatchObject([{ verdict }]);
    expect(of("clock")[0]?.said.replace(/\d+/, (digits) => String(Math.round(Number(digits) / 10) * 10))).toBe(said);
  });

  it("of version 8 is reported with what will not work", async () => {
    Object.assign(simulator.sim.world.version, { version: "8.4.14", release: "8.4" });
    const { code, of } = await examine();
    expect(code).toBe(1);
    expect(of("version")).toMatchObject([{ verdict: "failed", said: expect.stringContaining("8.4.14") }]);
    expect(of("version")[0]?.cure.join("\n")).toMatch(/VM\.Monitor.*rules.*pve8to9/s);
    expect(of("templates")).toMatchObject([{ verdict: "ok" }]);
  });

  it("without a storage for disks is reported", async () => {
    for (const storage of Object.keys(simulator.sim.world.storages)) {
      if (storage !== "local") delete simulator.sim.world.storages[storage];
    }
    const { code, of } = await examine();
    expect(code).toBe(1);
    expect(of("storages")).toContainEqual(
      expect.objectContaining({ verdict: "failed", said: "no storage accepts disks" }),
    );
  });
});

describe("the command itself", () => {
  it("explains the first steps where nothing is configured", async () => {
    const { code, stdout } = await type(run, [], {});
    expect(code).toBe(1);
    expect(stdout).toMatch(/✘ settings .*export PROXMOX_VE_ENDPOINT=.*terraform-provider-proxmox simulate/s);
    for (const check of everyCheck.slice(1))
      expect(stdout).toMatch(new RegExp(`^- ${check} .*settings must pass first`, "m"));
  });

  it.each([
    [{ PROXMOX_VE_API_TOKEN: "secret-without-a-name" }, /✘ credentials .*user@realm!name=secret/],
    [{ PROXMOX_VE_API_TOKEN: "" }, /✘ credentials .*PROXMOX_VE_API_TOKEN/],
    [
      { PROXMOX_VE_CA_CERTIFICATE: "/nowhere.pem" },
      /✘ settings .*neither PEM text nor a file that can be read: \/nowhere\.pem/,
    ],
    [{ PROXMOX_VE_TLS_FINGERPRINT: "12:34" }, /✘ settings .*not a SHA-256 fingerprint/],
    [{ PROXMOX_VE_ENDPOINT: "http://pve1:8006" }, /✘ settings .*https only/],
    [{ PROXMOX_VE_REQUEST_TIMEOUT: "soon" }, /✘ settings .*PROXMOX_VE_REQUEST_TIMEOUT is "soon"/],
  ])("reports an invalid variable: %j", async (more, line) => {
    const { code, stdout } = await doctor(more);
    expect(code).toBe(1);
    expect(stdout).toMatch(line);
    expect(stdout).not.toContain("secret-without-a-name");
  });

  it.each([[["--jsno"]], [["everything"]]])("refuses unknown arguments: %j", async (args) => {
    const { code, stdout, stderr } = await doctor({}, args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/--help lists the options/);
  });

  it("passes on the subcommand for roles", async () => {
    const { code, stdout } = await doctor({}, ["role", "--read-only"]);
    expect(code).toBe(0);
    expect(stdout).toContain("pveum role add");
  });

  it("explains itself", async () => {
    const { code, stdout } = await doctor({}, ["--help"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/Usage: doctor.*Exit code/s);
  });
});

describe("with a role that `doctor role` has printed", () => {
  it.each([
    ["--vms"],
    ["--pool", "web"],
    ["--read-only"],
    ["--vms", "--storage", "local-lvm", "--bridge", "vmbr0"],
    ["--for", "proxmox_storage"],
    ["--for", "proxmox_disk,proxmox_snapshot,proxmox_firewall_rules"],
    ["--for", "proxmox_container"],
    ["--with", "see-pool"],
  ])("nothing is missing: %s %s", async (...options) => {
    simulator.sim.world.access.pools["web"] ??= { comment: "", vms: [], storage: [] } as never;
    const role = await doctor({}, ["role", "--user", "new@pve", ...options.filter(Boolean)]);
    expect(role.code).toBe(0);
    const [[id, secret] = []] = Object.entries(await typeCommands(simulator, role.stdout));
    const { code, of } = await examine({ PROXMOX_VE_API_TOKEN: `${id}=${secret}` });
    expect(of("privileges").filter(({ verdict }) => verdict === "failed")).toEqual([]);
    expect(code).toBe(0);
  });
});

it("advises options that `doctor role` takes", async () => {
  const { of } = await examine(token("noacl@pve!tf"));
  const options = of("privileges").flatMap(({ cure }) => /doctor role (--with \S+)`/.exec(cure.join())?.[1] ?? []);
  expect(options.length).toBeGreaterThan(5);
  for (const option of options) expect((await doctor({}, ["role", ...option.split(" ")])).code).toBe(0);
});
