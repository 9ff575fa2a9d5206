import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Instance } from "../../harness/index.ts";
import { attribute } from "../resource-bench.ts";
import { Bench, type Input } from "./suite.ts";

let bench: Bench;
let nextVmid = 500;

beforeAll(async () => {
  bench = await Bench.open();
});

afterAll(() => bench.close());

const base = { clone: { template: "ubuntu-24.04-cloud" } };

/** Makes a VM, changes its configuration, and returns what the server has before and after. */
async function change(power: "running" | "stopped", before: Input, after: Input) {
  const vmid = nextVmid++;
  const common = { name: `vm-${vmid}`, vmid, power, ...base };
  const made = await bench.vm.create({ ...common, ...(before as object) });
  const old = bench.config(vmid);
  const updated = await bench.vm.update(made, { ...common, ...(after as object) });
  return { vmid, made, updated, old, now: bench.config(vmid) };
}

describe.each(["running", "stopped"] as const)("a %s VM", (power) => {
  test("gets more cores and memory", async () => {
    const { now, vmid, updated } = await change(power, {}, { cpu: { cores: 4 }, memory: { size: "4G" } });
    expect(now).toMatchObject({ cores: "4", memory: "4096" });
    expect(bench.guest(vmid).run === undefined).toBe(power === "stopped");
    expect(attribute(updated, "pending")).toEqual(power === "running" ? ["cores", "memory"] : []);
  });

  test("keeps the MAC address when its VLAN changes", async () => {
    const nic = (vlan: number) => ({ networks: { net0: { bridge: "vmbr0", vlan } } });
    const { old, now } = await change(power, nic(10), nic(0));
    expect(now["net0"]).toBe(old["net0"]?.replace(",tag=10", ""));
  });

  test("is protected after it has lost its disk", async () => {
    const two = { disks: { scsi0: {}, scsi1: { storage: "local-lvm", size: "5G", on_remove: "delete" } } };
    const { now, vmid } = await change(power, two, { disks: { scsi0: {} }, protection: true });
    expect(now).toMatchObject({ protection: "1" });
    expect(now).not.toHaveProperty("scsi1");
    expect(bench.simulator.sim.world.volumes.filter((volume) => volume.vmid === vmid)).toHaveLength(2);
  });

  test("loses a disk with its data before that disk was ever attached", async () => {
    const { vmid, updated } = await change(
      power,
      {},
      { disks: { sata2: { storage: "ceph", size: "3G", on_remove: "delete" } } },
    );
    const after = await bench.vm.update(updated, { name: `vm-${vmid}`, vmid, power, ...base });
    expect(attribute(after, "unused_disks")).toEqual({});
    expect(bench.simulator.sim.world.volumes.filter(({ volid }) => volid.startsWith(`ceph:vm-${vmid}-`))).toEqual([]);
  });

  test("grows a disk and moves it to another storage", async () => {
    const { now, updated, vmid } = await change(
      power,
      { disks: { scsi0: { size: "10G" } } },
      { disks: { scsi0: { size: "20G", storage: "local-zfs" } } },
    );
    expect(now["scsi0"]).toBe(`local-zfs:vm-${vmid}-disk-0,discard=on,iothread=1,size=20G,ssd=1`);
    expect(attribute(updated, "unused_disks")).toEqual({});
  });

  test("gets and loses a disk, whose data is kept", async () => {
    const two = { disks: { scsi0: {}, scsi1: { storage: "local-lvm", size: "5G" } } };
    const { updated, vmid, now } = await change(power, two, { disks: { scsi0: {} } });
    expect(now["scsi1"]).toBeUndefined();
    expect(attribute(updated, "unused_disks")).toEqual({ unused0: `local-lvm:vm-${vmid}-disk-1` });
    expect(bench.volumes(vmid)).toContain(`local-lvm:vm-${vmid}-disk-1`);
  });

  test("loses a disk with its data when that is asked for", async () => {
    const two = { disks: { scsi0: {}, scsi1: { storage: "local-lvm", size: "5G", on_remove: "delete" } } };
    const { updated, vmid } = await change(power, two, { disks: { scsi0: {} } });
    expect(attribute(updated, "unused_disks")).toEqual({});
    expect(bench.volumes(vmid)).not.toContain(`local-lvm:vm-${vmid}-disk-1`);
  });

  test("gets and loses a network card", async () => {
    const { old, now } = await change(
      power,
      { networks: { net0: {}, net1: { bridge: "vmbr1", ipv4: { address: "dhcp" } } } },
      { networks: { net0: {} } },
    );
    expect(old["ipconfig1"]).toBe("ip=dhcp");
    expect(now["net1"]).toBeUndefined();
    expect(now["ipconfig1"]).toBeUndefined();
    expect(now["net0"]).toBe(old["net0"]);
  });

  test("migrates when `node` changes", async () => {
    const { vmid } = await change(power, { node: "pve1" }, { node: "pve2" });
    expect(bench.guest(vmid).node).toBe("pve2");
    expect(bench.guest(vmid).run === undefined).toBe(power === "stopped");
  });

  test("changes name, tags, description and cloud-init at once", async () => {
    const vmid = nextVmid;
    const { now } = await change(
      power,
      { tags: ["a", "b"], description: "before", cloud_init: { user: "one" } },
      { tags: ["c"], description: "", cloud_init: { user: "two", dns_servers: ["192.0.2.53"] } },
    );
    expect(now).toMatchObject({ tags: "c", ciuser: "two", nameserver: "192.0.2.53", name: `vm-${vmid}` });
    expect(now["description"]).toBeUndefined();
  });

  test("changes its boot order when a boot device leaves", async () => {
    const devices = { disks: { scsi0: {}, scsi1: { storage: "local-lvm", size: "1G" } } };
    const { now } = await change(power, { ...devices, boot_order: ["scsi0", "scsi1"] }, { disks: { scsi0: {} } });
    expect(now["boot"]).toBe("order=scsi0");
  });
});

describe("restarts", () => {
  test("happen when they are needed and allowed", async () => {
    const common = { name: "restarts", vmid: 490, power: "running", restart_policy: "when_needed", ...base };
    const made = await bench.vm.create(common);
    const before = bench.guest(490).run?.pid;
    const updated = await bench.vm.update(made, { ...common, cpu: { cores: 8 } });
    expect(bench.guest(490).config["cores"]).toBe("8");
    expect(bench.guest(490).run?.pid).not.toBe(before);
    expect(attribute(updated, "pending")).toEqual([]);
  });

  test("are followed by the wait for the guest's address, where that was asked for", async () => {
    const agent = { enabled: true, wait: "30s" };
    const common = { name: "answers", vmid: 491, power: "running", restart_policy: "when_needed", agent, ...base };
    const made = await bench.vm.create(common);
    const updated = await bench.vm.update(made, { ...common, cpu: { cores: 8 } });
    expect(attribute(updated, "ip_addresses", "net0")).toEqual(attribute(made, "ip_addresses", "net0"));
  });
});

describe("a move to another node", () => {
  test("is done although the storage it leaves refuses at first to let go, and leaves nothing there", async () => {
    const common = { name: "mover", vmid: 495, power: "stopped", clone: { template: "9000", full: true } };
    const made = await bench.vm.create({ ...common, node: "pve1" });
    bench.simulator.faults.order({ do: "refuse_delete", storage: "local-lvm", times: 1 });
    const moved = await bench.vm.update(made, { ...common, node: "pve2" });
    expect(bench.guest(495).node).toBe("pve2");
    const { volumes } = bench.simulator.sim.world;
    expect(volumes.filter(({ vmid, node }) => vmid === 495 && node === "pve1")).toEqual([]);
    await bench.vm.destroy(moved);
  });
});

describe("a VM under HA", () => {
  test("is started, moved and stopped by its manager, which is waited for", async () => {
    const common = { name: "available", vmid: 480, clone: { template: "debian-13-cloud" } };
    const made = await bench.vm.create({ ...common, node: "pve1", power: "stopped" });
    bench.simulator.sim.world.ha.resources["vm:480"] = { type: "vm", options: { state: "stopped" } };
    const started = await bench.vm.update(made, { ...common, node: "pve1", power: "running" });
    expect(bench.guest(480).run).toBeDefined();
    const moved = await bench.vm.update(started, { ...common, node: "pve2", power: "running" });
    expect(bench.guest(480).node).toBe("pve2");
    await bench.vm.destroy(moved);
    expect(bench.has(480)).toBe(false);
  });
});

describe("what others do", () => {
  let vmid = 460;
  const make = async (more: Input = {}): Promise<{ vmid: number; config: Input; made: Instance }> => {
    vmid += 1;
    const config = { name: `others-${vmid}`, vmid, node: "pve1", ...base, ...(more as object) };
    return { vmid, config, made: await bench.vm.create(config) };
  };

  test("on another node is accepted: the state follows, and nothing is planned", async () => {
    const { config, made, vmid: id } = await make({ clone: { template: "debian-13-cloud" } });
    bench.guest(id).node = "pve3";
    await bench.restart();
    const read = await bench.vm.refresh(made);
    expect(attribute(read, "node")).toBe("pve3");
    expect((await bench.vm.plan(read, config)).action).toBe("no-op");
  });

  test("in slots that are not configured never shows", async () => {
    const { config, made, vmid: id } = await make({ disks: { scsi0: {} } });
    bench.guest(id).config["scsi7"] = "local-lvm:vm-9-disk-9,size=1G";
    bench.guest(id).config["net3"] = "virtio=BC:24:11:00:00:99,bridge=vmbr1";
    await bench.restart();
    const plan = await bench.vm.plan(await bench.vm.refresh(made), config);
    expect(plan.action).toBe("no-op");
    delete bench.guest(id).config["scsi7"];
  });

  test("to a configured setting is put right", async () => {
    const { config, made, vmid: id } = await make({ cpu: { cores: 3 } });
    bench.guest(id).config["cores"] = "1";
    await bench.restart();
    await bench.vm.update(made, config);
    expect(bench.config(id)["cores"]).toBe("3");
  });

  test("a VM that is gone leaves the state", async () => {
    const { made, vmid: id } = await make();
    delete bench.simulator.sim.world.guests[id];
    await bench.restart();
    expect(await bench.vm.find(made)).toBeNull();
  });

  test("another VM of the same VMID is not ours: it leaves the state, and is not destroyed", async () => {
    const { made, vmid: id } = await make({ power: "stopped" });
    bench.guest(id).config["vmgenid"] = "11111111-1111-4111-8111-111111111111";
    bench.guest(id).config["smbios1"] = "uuid=22222222-2222-4222-8222-222222222222";
    bench.guest(id).config["name"] = "production-db";
    await bench.restart();
    expect(await bench.vm.find(made)).toBeNull();
    await bench.vm.destroy(made);
    expect(bench.has(id)).toBe(true);
  });
});

test("a VM that another client starts while it is about to be moved is moved running", async () => {
  const common = { name: "moving", vmid: nextVmid++, power: "stopped", ...base };
  const made = await bench.vm.create({ ...common, node: "pve1" });
  const running = await bench.vm.create({ ...common, name: "running", vmid: nextVmid++, power: "running" });
  const { faults } = bench.simulator;
  const usual = faults.onCall.bind(faults);
  faults.onCall = (endpoint, when, answer) => {
    const { run } = bench.guest(Number(attribute(running, "vmid")));
    if (endpoint.path.endsWith("/migrate") && when === "before" && run) bench.guest(common.vmid).run = { ...run };
    return usual(endpoint, when, answer);
  };
  try {
    await bench.vm.update(made, { ...common, node: "pve2", power: "running" });
  } finally {
    faults.onCall = usual;
  }
  expect(bench.guest(common.vmid)).toMatchObject({ node: "pve2", run: expect.anything() });
});
