import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { defaultSeed } from "#simulator";
import { invoke } from "./streams.ts";
import { Bench, type Input } from "./suite.ts";

const exec = [
  { command: ["cloud-init", "status", "--wait"], out: "status: done\n", seconds: 3 },
  { command: ["apt-get", "update"], exitcode: 100, out: "Reading…\n", err: "E: no network\n" },
  { command: ["seq"], out: Array.from({ length: 300 }, (_, index) => `line ${index + 1}`).join("\n") },
];
const guests = [
  {
    vmid: 301,
    node: "pve1",
    running: true,
    exec,
    config: { name: "up", agent: "1", scsi0: "local-lvm:vm-301-disk-0,size=8G" },
  },
  { vmid: 302, node: "pve1", config: { name: "down", agent: "1" } },
  { vmid: 303, node: "pve1", running: true, config: { name: "without-agent" } },
  { vmid: 304, node: "pve1", running: true, agent: false, config: { name: "silent", agent: "1" } },
];

let bench: Bench;

beforeAll(async () => {
  bench = await Bench.open({ seed: { ...defaultSeed(), guests } });
});
beforeEach(() => bench.simulator.reset());
afterAll(() => bench.close());

const act = (type: string, config: Record<string, Input>) => invoke(bench.provider, `proxmox_vm_${type}`, config);
const inside = (vmid: number) => bench.guest(vmid).inside;

describe("proxmox_vm_exec", () => {
  test("runs a program, waits for its end and shows its output", async () => {
    const { progress, diagnostics } = await act("exec", { vmid: 301, command: ["cloud-init", "status", "--wait"] });
    expect(diagnostics).toEqual([]);
    expect(progress.slice(-3)).toEqual([
      "VM 301: cloud-init runs as process 42",
      "VM 301: out: status: done",
      "VM 301: cloud-init ended with exit code 0",
    ]);
  });

  test("fails on an unexpected exit code, with the last lines", async () => {
    const { diagnostics } = await act("exec", { vmid: 301, command: ["apt-get", "update"] });
    expect(diagnostics).toMatchObject([{ severity: "ERROR", summary: "Exit code 100" }]);
    expect(diagnostics[0]?.detail).toContain("`apt-get` in VM 301 ended with exit code 100; expected: 0.");
    expect(diagnostics[0]?.detail).toContain("E: no network");
  });

  test("accepts an exit code that is expected", async () => {
    const { diagnostics } = await act("exec", { vmid: 301, command: ["apt-get", "update"], exit_codes: [0, 100] });
    expect(diagnostics).toEqual([]);
  });

  test("passes the input on", async () => {
    const { progress } = await act("exec", { vmid: 301, command: ["cat"], input: "first\nsecond" });
    expect(progress).toContain("VM 301: out: second");
  });

  test("shows the end of a long output", async () => {
    const { progress } = await act("exec", { vmid: 301, command: ["seq", "300"] });
    expect(progress).toContain("VM 301: out: 100 lines before these are not shown");
    expect(progress).not.toContain("VM 301: out: line 100");
    expect(progress).toContain("VM 301: out: line 101");
  });
});

describe("proxmox_vm_file_write", () => {
  const written = (path: string) => Buffer.from(inside(301)?.files?.[path] ?? "", "base64").toString();

  test.each(["plain text\n", "Grüße – ✓\n", "latin: é\n", ""])("writes %j", async (content) => {
    const { progress, diagnostics } = await act("file_write", { vmid: 301, path: "/etc/motd", content });
    expect(diagnostics).toEqual([]);
    expect(progress.at(-1)).toBe("VM 301: /etc/motd written");
    expect(inside(301)?.files).toHaveProperty(["/etc/motd"]);
    expect(written("/etc/motd")).toBe(content);
  });

  test("writes bytes", async () => {
    const bytes = Buffer.from([0, 255, 128, 10]);
    const config = { vmid: 301, path: "/opt/key", content_base64: bytes.toString("base64") };
    expect((await act("file_write", config)).diagnostics).toEqual([]);
    expect(inside(301)?.files?.["/opt/key"]).toBe(bytes.toString("base64"));
  });
});

describe("proxmox_vm_set_password", () => {
  test("sets the password", async () => {
    const config = { vmid: 301, username: "ops", password: "correct horse" };
    const { progress, diagnostics } = await act("set_password", config);
    expect(diagnostics).toEqual([]);
    expect(progress.at(-1)).toBe("VM 301: password of ops set");
    expect(inside(301)?.passwords).toEqual({ ops: "correct horse" });
  });
});

describe("an ephemeral value that Terraform drops", () => {
  test.each([
    ["set_password", { username: "ops" }, "No value"],
    ["file_write", { path: "/etc/motd" }, "One content needed"],
  ])("ends %s before it does anything", async (type, more, summary) => {
    const { diagnostics } = await act(type, { vmid: 301, ...more });
    expect(diagnostics).toMatchObject([{ summary }, { summary: "Ephemeral values are not received" }]);
    expect(inside(301)?.files).toEqual({});
  });
});

describe("proxmox_vm_fstrim", () => {
  test("trims the file systems", async () => {
    const { progress, diagnostics } = await act("fstrim", { vmid: 301 });
    expect(diagnostics).toEqual([]);
    expect(progress.at(-1)).toBe("VM 301: trimmed");
  });
});

const actions = {
  exec: { privilege: "VM.GuestAgent.Unrestricted", more: { command: ["id"] } },
  file_write: { privilege: "VM.GuestAgent.FileWrite", more: { path: "/a", content: "b" } },
  set_password: { privilege: "VM.GuestAgent.Unrestricted", more: { username: "a", password: "12345" } },
  fstrim: { privilege: "VM.GuestAgent.FileSystemMgmt", more: {} },
};

describe.each(Object.entries(actions))("proxmox_vm_%s", (type, { privilege, more }) => {
  test("is refused for a VM that does not run", async () => {
    const { diagnostics } = await act(type, { vmid: 302, ...more });
    expect(diagnostics).toMatchObject([{ severity: "ERROR", summary: "VM 302 is not running" }]);
  });

  test("is refused for a VM without an agent", async () => {
    const { diagnostics } = await act(type, { vmid: 303, ...more });
    expect(diagnostics[0]?.detail).toContain("No QEMU guest agent configured");
  });

  test("waits for an agent that does not answer, no longer than its timeout", async () => {
    const { progress, diagnostics } = await act(type, { vmid: 304, timeout: "800ms", ...more });
    expect(diagnostics).toMatchObject([{ severity: "ERROR", summary: "The guest agent did not finish in time" }]);
    expect(progress).toEqual(["VM 304: waiting for the guest agent"]);
  });

  test("names the missing privilege", async () => {
    for (const one of new Set([privilege, "VM.GuestAgent.Unrestricted"])) {
      bench.simulator.faults.order({ do: "revoke", privilege: one });
    }
    const { diagnostics } = await act(type, { vmid: 301, ...more });
    expect(diagnostics[0]?.detail).toContain(privilege);
  });
});

test("proxmox_vm_exec runs once the agent answers after a start", async () => {
  expect((await invoke(bench.provider, "proxmox_vm_start", { vmid: 302 })).diagnostics).toEqual([]);
  const { diagnostics } = await act("exec", { vmid: 302, command: ["id"] });
  expect(diagnostics).toEqual([]);
});
