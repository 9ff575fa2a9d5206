import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { attribute, writable } from "../resource-bench.ts";
import { everything, keys } from "./everything.ts";
import { Bench } from "./suite.ts";

let bench: Bench;

beforeAll(async () => {
  bench = await Bench.open();
});

afterAll(() => bench.close());

function put(vmid: number, config: Record<string, string>): void {
  const { world } = bench.simulator.sim;
  world.guests[vmid] = { ...structuredClone(bench.guest(9000)), vmid, config: { ...config } };
}

describe("an import", () => {
  beforeAll(async () => {
    put(700, everything);
    put(701, { name: "small", memory: "512" });
    put(702, {
      name: "legacy",
      boot: "cdn",
      bootdisk: "scsi0",
      memory: "1024",
      cpu: "cputype=kvm64",
      net0: "virtio,bridge=vmbr0",
    });
    put(703, {
      name: "blank",
      boot: " ",
      tags: " ",
      smbios1: "uuid=11111111-2222-4333-8444-555555555556,serial=plain",
    });
    put(704, { name: "new-words", net0: "virtio=BC:24:11:AA:BB:CE,bridge=vmbr0,host-tunnel=1" });
    // A provider sees what was there when it was started.
    await bench.restart();
  });

  test.each([
    ["by VMID", "700", 700],
    ["by node and VMID", "pve1/700", 700],
    ["by name", "everything", 700],
  ])("finds a VM %s", async (_, id, vmid) => {
    expect(attribute(await bench.vm.import({ id }), "vmid")).toBe(vmid);
  });

  test("warns on one short line about what a minimal block does not mention", async () => {
    const plan = await bench.vm.plan(await bench.vm.import({ id: "700" }), { name: "everything" });
    const warnings = plan.warnings.filter(({ summary }) => /^Values? stays? as/.test(summary));
    expect(warnings).toHaveLength(1);
    expect(warnings[0]?.detail).toMatch(/^Not configured, and kept: `\w+`(, `\w+`)* and \d+ more\. /);
    expect(warnings[0]?.detail.length).toBeLessThan(480);
    expect(warnings[0]?.detail).not.toContain("\n");
  });

  test.each([{ id: "705" }, { identity: { vmid: 705 } }])(
    "of a VM on an offline node names the node (%j)",
    async (by) => {
      put(705, { name: "away", memory: "512" });
      bench.guest(705).node = "pve3";
      bench.simulator.faults.order({ do: "offline", node: "pve3" });
      await bench.restart();
      await expect(bench.vm.import(by)).rejects.toThrow(/Node pve3 is offline: VM 705.*does not answer.*not imported/s);
      const { pve3 } = bench.simulator.sim.world.nodes;
      if (pve3) pve3.online = true;
      delete bench.simulator.sim.world.guests[705];
      await bench.restart();
    },
  );

  test("finds a VM by its identity", async () => {
    expect(attribute(await bench.vm.import({ identity: { vmid: 701 } }), "name")).toBe("small");
  });

  test.each([
    ["a VM that is not there", "9999", /no VM 9999/],
    ["a VM on another node", "pve2/700", /is on pve1, not on pve2/],
    ["a name that no VM has", "missing", /no VM named "missing"/],
  ])("refuses %s", async (_, id, message) => {
    await expect(bench.vm.import({ id })).rejects.toThrow(message);
  });

  test.each([700, 701, 702, 703, 704])(
    "of VM %i is followed by an empty plan, and leaves its configuration alone",
    async (vmid) => {
      const before = { ...bench.config(vmid) };
      const imported = await bench.vm.import({ id: String(vmid) });
      await bench.vm.expectSettled(imported, writable(bench.vm, imported));
      expect(bench.config(vmid)).toEqual(before);
    },
  );

  test("shows what there is", async () => {
    const imported = await bench.vm.import({ id: "700" });
    expect(attribute(imported, "smbios", "manufacturer")).toBe("Some Maker");
    expect(attribute(imported, "cpu", "flags")).toEqual(["+aes", "-pcid"]);
    expect(attribute(imported, "disks", "virtio3", "size")).toBe("528K");
    expect(attribute(imported, "disks", "scsi0", "serial")).toBe("a b");
    expect(attribute(imported, "networks", "net0", "trunks")).toEqual(["10", "20-30"]);
    expect(attribute(imported, "pci", "hostpci0", "address")).toBe("0000:01:00.0;0000:01:00.1");
    expect(attribute(imported, "cloud_init", "ssh_keys")).toEqual(keys);
    expect(attribute(imported, "unused_disks")).toEqual({ unused3: "local-lvm:vm-700-disk-9" });
  });

  test("leaves alone what the configuration does not mention", async () => {
    const imported = await bench.vm.import({ id: "704" });
    const updated = await bench.vm.update(imported, {
      name: "new-words",
      networks: { net0: { vlan: 5 } },
      cpu: { cores: 2 },
    });
    expect(bench.config(704)).toMatchObject({
      net0: "virtio=BC:24:11:AA:BB:CE,bridge=vmbr0,host-tunnel=1,tag=5",
      cores: "2",
    });
    expect(attribute(updated, "networks", "net0", "mac")).toBe("BC:24:11:AA:BB:CE");
  });

  test("of a legacy boot line can be given an order", async () => {
    const imported = await bench.vm.import({ id: "702" });
    await bench.vm.update(imported, { name: "legacy", boot_order: ["net0"] });
    expect(bench.config(702)["boot"]).toBe("order=net0");
  });
});
