import { beforeEach, describe, expect, test } from "vitest";
import { vmLab } from "./vm-lab.ts";

const lab = vmLab();
const { ask, run, create, set } = lab;

const agent = (command: string, method = "GET", form: Record<string, string> = {}) =>
  ask(`${method} /nodes/pve1/qemu/300/agent/${command}`, form);

describe("a guest agent", () => {
  test.each([
    ["without the option", {}, "500 No QEMU guest agent configured"],
    ["while the VM is off", { agent: 1 }, "500 VM 300 is not running"],
  ])("is not asked %s", async (_, options, expected) => {
    await create(300, options as Record<string, number>);
    expect(await agent("ping", "POST")).toBe(expected);
  });

  describe("of a VM that has booted", () => {
    beforeEach(async () => {
      await create(300, {
        name: "web",
        agent: 1,
        cores: 2,
        scsi0: "thin:1",
        ide2: "thin:cloudinit",
        net0: "virtio=BC:24:11:00:00:01,bridge=vmbr0",
        net1: "virtio=BC:24:11:00:00:02,bridge=vmbr0",
        ipconfig0: "ip=192.0.2.77/24,gw=192.0.2.1,ip6=2001:db8::77/64",
        ipconfig1: "ip=dhcp",
      });
      await run("POST /nodes/pve1/qemu/300/status/start");
      await expect.poll(() => agent("ping", "POST"), { timeout: 5000 }).toEqual({ result: {} });
    });

    test("knows the addresses cloud-init was given", async () => {
      expect(await agent("network-get-interfaces")).toEqual({
        result: [
          expect.objectContaining({ name: "lo" }),
          expect.objectContaining({
            name: "eth0",
            "hardware-address": "bc:24:11:00:00:01",
            "ip-addresses": [
              { "ip-address": "192.0.2.77", "ip-address-type": "ipv4", prefix: 24 },
              { "ip-address": "2001:db8::77", "ip-address-type": "ipv6", prefix: 64 },
              { "ip-address": expect.stringMatching(/^fe80::/), "ip-address-type": "ipv6", prefix: 64 },
            ],
          }),
          expect.objectContaining({
            name: "eth1",
            "ip-addresses": expect.arrayContaining([
              { "ip-address": expect.stringMatching(/^198\.51\.100\.\d+$/), "ip-address-type": "ipv4", prefix: 24 },
            ]),
          }),
        ],
      });
    });

    test("believes the drive it booted with, not what was changed since", async () => {
      await set(300, { ipconfig0: "ip=192.0.2.99/24" });
      expect(JSON.stringify(await agent("network-get-interfaces"))).toContain("192.0.2.77");
    });

    test.each([
      ["get-host-name", { "host-name": "web" }],
      ["get-osinfo", expect.objectContaining({ id: "debian" })],
      ["get-fsinfo", [expect.objectContaining({ mountpoint: "/", "total-bytes": 2 ** 30 })]],
      ["get-vcpus", [expect.objectContaining({ "logical-id": 0 }), expect.objectContaining({ "logical-id": 1 })]],
      ["get-timezone", { zone: "UTC", offset: 0 }],
    ])("answers %s", async (command, result) => {
      expect(await agent(command)).toEqual({ result });
    });

    test("runs a program, and reports how it ended", async () => {
      const { pid } = (await agent("exec", "POST", { command: "true" })) as { pid: number };
      await expect.poll(() => agent("exec-status", "GET", { pid: String(pid) })).toMatchObject({ exited: 1 });
    });

    test("that falls silent is noticed after a while", async () => {
      const guest = lab.simulator.sim.world.guests[300];
      Object.assign(guest?.behaviour ?? {}, { agent: false });
      expect(await agent("get-osinfo")).toBe("500 QEMU guest agent is not running");
    });
  });
});

describe("the cloud-init drive", () => {
  const path = "/nodes/pve1/qemu/300/cloudinit";

  beforeEach(async () => {
    await create(300, {
      name: "web",
      ide2: "thin:cloudinit",
      ciuser: "me",
      cipassword: "secret",
      net0: "virtio=BC:24:11:00:00:01",
      ipconfig0: "ip=192.0.2.7/24,gw=192.0.2.1",
    });
  });

  test("reports what is on it", async () => {
    expect(await ask(`GET ${path}/dump`, { type: "user" })).toContain("\nuser: me\npassword: secret\n");
    expect(await ask(`GET ${path}/dump`, { type: "network" })).toContain("address: '192.0.2.7'");
    expect(await ask(`GET ${path}/dump`, { type: "meta" })).toMatch(/^instance-id: [0-9a-f]{40}\n$/);
  });

  test("hides the password from those who could not set it", async () => {
    expect(await ask(`GET ${path}/dump`, { type: "user" }, "auditor@pve!tk")).toContain("\npassword: **********\n");
  });

  test("is written at the start, and lags behind changes until it is written again", async () => {
    const user = async () => ((await ask(`GET ${path}`)) as { key: string }[]).find(({ key }) => key === "ciuser");
    expect(await run("POST /nodes/pve1/qemu/300/status/start")).toBe("WARNINGS: 1"); // its device has no bridge
    await set(300, { ciuser: "you" });
    expect(await user()).toEqual({ key: "ciuser", value: "me", pending: "you" });
    expect(await ask(`PUT ${path}`)).toBeNull();
    expect(await user()).toEqual({ key: "ciuser", value: "you" });
  });
});
