import { describe, expect, test } from "vitest";
import { lab, labSeed } from "../lab.ts";

const cluster = lab({
  ...labSeed,
  guests: [
    {
      vmid: 100,
      running: 1,
      config: {
        name: "web",
        agent: "1",
        ide2: "thin:vm-100-cloudinit,media=cdrom",
        net0: "virtio=BC:24:11:00:00:01",
        ipconfig0: "ip=192.0.2.50/24",
      },
      files: { "/etc/motd": "hello\n" },
      exec: [{ command: ["id"], out: "uid=0(root)\n" }],
    },
  ],
});
const { ask, run } = cluster;
const agent = "/nodes/pve1/qemu/100/agent";

const control = async (order: object) => {
  const { simulator } = cluster;
  const { control: perform } = await import("../../../../src/simulator/control/control.ts");
  return perform(simulator.sim, order) as { files?: Record<string, string>; passwords?: Record<string, string> };
};
const awaitAgent = () => expect.poll(() => ask(`POST ${agent}/ping`)).toEqual({ result: {} });
const addresses = async () => {
  const { result } = (await ask(`GET ${agent}/network-get-interfaces`)) as {
    result: { name: string; "ip-addresses": { "ip-address": string }[] }[];
  };
  return result.find(({ name }) => name === "eth0")?.["ip-addresses"].map((entry) => entry["ip-address"]);
};

describe("the agent", () => {
  test("runs the programs that were described, and others without a word", async () => {
    await awaitAgent();
    const { pid } = (await ask(`POST ${agent}/exec`, { command: "id" })) as { pid: number };
    expect(await ask(`GET ${agent}/exec-status`, { pid })).toEqual({
      exited: 1,
      exitcode: 0,
      "out-data": "uid=0(root)\n",
    });
    expect(await ask(`GET ${agent}/exec-status`, { pid })).toBe(`500 Agent error: PID ${pid} does not exist`);
  });

  test("waits for a program that takes its time", async () => {
    await awaitAgent();
    await control({ action: "guest", vmid: 100, exec: [{ command: "apt", exitcode: 100, err: "no\n", seconds: 60 }] });
    const { pid } = (await ask(`POST ${agent}/exec`, { command: "apt" })) as { pid: number };
    expect(await ask(`GET ${agent}/exec-status`, { pid })).toEqual({ exited: 0 });
    await expect
      .poll(() => ask(`GET ${agent}/exec-status`, { pid }))
      .toEqual({ exited: 1, exitcode: 100, "err-data": "no\n" });
  });

  test("reads and writes files, and keeps passwords", async () => {
    await awaitAgent();
    expect(await ask(`GET ${agent}/file-read`, { file: "/etc/motd", count: 4 })).toEqual({
      content: "hell",
      "bytes-read": 4,
      truncated: 1,
    });
    await ask(`POST ${agent}/file-write`, { file: "/tmp/a", content: "b" });
    await ask(`POST ${agent}/set-user-password`, { username: "root", password: "secret" });
    const inside = await control({ action: "guest", vmid: 100 });
    expect(inside).toMatchObject({ files: { "/tmp/a": "Yg==" }, passwords: { root: "secret" } });
  });
});

describe("an address", () => {
  test("that was changed on the drive reaches a running guest with its restart", async () => {
    await awaitAgent();
    expect(await addresses()).toContain("192.0.2.50");
    await ask("PUT /nodes/pve1/qemu/100/config", { ipconfig0: "ip=192.0.2.51/24" });
    await ask("PUT /nodes/pve1/qemu/100/cloudinit");
    expect(await addresses()).toContain("192.0.2.50");
    await run("POST /nodes/pve1/qemu/100/status/reset");
    await awaitAgent();
    expect(await addresses()).toContain("192.0.2.51");
  });
});

describe("several cards", () => {
  test("have a section each in the network file", async () => {
    await ask("PUT /nodes/pve1/qemu/100/config", {
      net1: "virtio=BC:24:11:00:00:02",
      ipconfig1: "ip=dhcp,ip6=2001:db8::2/64,gw6=2001:db8::1",
      nameserver: "192.0.2.1 192.0.2.2",
    });
    expect(await ask("GET /nodes/pve1/qemu/100/cloudinit/dump", { type: "network" })).toBe(`version: 1
config:
    - type: physical
      name: eth0
      mac_address: 'bc:24:11:00:00:01'
      subnets:
      - type: static
        address: '192.0.2.50'
        netmask: '255.255.255.0'
    - type: physical
      name: eth1
      mac_address: 'bc:24:11:00:00:02'
      subnets:
      - type: dhcp4
      - type: static6
        address: '2001:db8::2/64'
        gateway: '2001:db8::1'
    - type: nameserver
      address:
      - '192.0.2.1'
      - '192.0.2.2'
      search:
      - 'example.com'
`);
  });
});

describe("custom processor models", () => {
  test("are used by those who may, and a VM outlives its model", async () => {
    await ask("POST /cluster/qemu/custom-cpu-models", { cputype: "fast", "reported-model": "kvm64" });
    expect(await ask("PUT /nodes/pve1/qemu/100/config", { cpu: "custom-slow" })).toContain(
      "Custom cputype 'slow' not found",
    );
    expect(await ask("PUT /nodes/pve1/qemu/100/config", { cpu: "custom-fast" })).toBeNull();
    await ask("DELETE /cluster/qemu/custom-cpu-models/custom-fast");
    expect(await ask("GET /nodes/pve1/qemu/100/config")).not.toHaveProperty("cpu");
  });
});
