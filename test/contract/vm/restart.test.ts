import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { attribute } from "../resource-bench.ts";
import { askAsOther, Bench, type Input, sshKey } from "./suite.ts";

let bench: Bench;
let nextVmid = 500;

beforeAll(async () => {
  bench = await Bench.open();
});

afterAll(() => bench.close());

type Given = Record<string, Input>;
type Warnings = readonly { summary: string; detail: string }[] | undefined;

const newVm = (): Given & { vmid: number } => {
  const vmid = nextVmid++;
  return { name: `vm-${vmid}`, vmid, power: "running", clone: { template: "ubuntu-24.04-cloud" } };
};
const bySummary = (list: Warnings) => Object.fromEntries((list ?? []).map(({ summary, detail }) => [summary, detail]));

/** Changes a VM; what the plan and the apply warn about is returned by its summary. */
async function step(instance: Parameters<Bench["vm"]["refresh"]>[0], config: Given) {
  const vmid = Number(attribute(instance, "vmid"));
  const run = bench.guest(vmid).run;
  const plan = await bench.vm.plan(await bench.vm.refresh(instance), config);
  const updated = await bench.vm.apply(plan, config);
  await bench.vm.expectSettled(updated, config);
  const isRestarted = run !== undefined && bench.guest(vmid).run?.pid !== run.pid;
  return { plan, updated, isRestarted, announced: bySummary(plan.warnings), said: bySummary(updated.warnings) };
}

async function change(before: Given, after: Given) {
  const common = newVm();
  const made = await bench.vm.create({ ...common, ...before });
  return { vmid: common.vmid, ...(await step(made, { ...common, ...after })) };
}

/** The errors of the plan of a change, as one text. */
async function refused(before: Given, after: Given): Promise<string> {
  const common = newVm();
  const made = await bench.vm.create({ ...common, ...before });
  return bench.vm.plan(await bench.vm.refresh(made), { ...common, ...after }).then(
    () => "planned",
    (reason: unknown) => String(reason),
  );
}

const plannedValue = (plan: { planned: unknown }, name: string) =>
  JSON.parse(JSON.stringify((plan.planned as Record<string, unknown>)[name] ?? null));

describe("a change that a running VM cannot take over", () => {
  test("waits, and the plan names it and knows what will be pending", async () => {
    const { plan, announced, said, updated, isRestarted } = await change({}, { memory: { size: "4G" }, tags: ["a"] });
    expect(announced["A restart will be needed"]).toMatch(/^VM \d+ keeps running with its old settings.*`memory`\. /);
    expect(plannedValue(plan, "pending")).toEqual(["memory"]);
    expect(said["A restart is needed"]).toContain("`memory`");
    expect(attribute(updated, "pending")).toEqual(["memory"]);
    expect(isRestarted).toBe(false);
  });

  test("is followed by a restart where that is allowed, and the plan says why and how", async () => {
    const { plan, announced, said, isRestarted } = await change(
      {},
      { cpu: { cores: 3 }, restart_policy: "when_needed", shutdown: { timeout: "90s" } },
    );
    expect(announced["The VM will be restarted"]).toMatch(/`cpu\.cores`.* has 90s to shut down and is stopped hard/);
    expect(plannedValue(plan, "pending")).toEqual([]);
    expect(said["The VM was restarted"]).toContain("`cpu.cores`");
    expect(isRestarted).toBe(true);
  });

  test.each([
    ["memory", { memory: { size: "4G" } }],
    ["a TPM", { tpm_state: { storage: "local-lvm", version: "v2.0" } }],
  ])("and was left pending is made up for when only the policy changes: %s", async (_, waiting) => {
    const common = newVm();
    const made = await bench.vm.create(common);
    const first = await step(made, { ...common, ...waiting });
    const { isRestarted, updated, announced } = await step(first.updated, {
      ...common,
      ...waiting,
      restart_policy: "when_needed",
    });
    expect(announced).toHaveProperty("The VM will be restarted");
    expect(isRestarted).toBe(true);
    expect(attribute(updated, "pending")).toEqual([]);
  });

  test("and that others have left is made up for too, whatever the apply is about", async () => {
    const common = { ...newVm(), restart_policy: "when_needed" };
    const made = await bench.vm.create(common);
    bench.guest(common.vmid).pending.set["sockets"] = "2";
    const { isRestarted, announced } = await step(made, { ...common, tags: ["b"] });
    expect(announced["The VM will be restarted"]).toContain("`cpu.sockets`");
    expect(isRestarted).toBe(true);
  });
});

describe("a change that a running VM takes over", () => {
  test.each([
    ["a VLAN", {}, { networks: { net0: { vlan: 7 } } }],
    ["a limit", {}, { cpu: { limit: 2 } }],
    ["a disk", {}, { disks: { scsi0: {}, scsi5: { storage: "local-lvm", size: "1G" } } }],
    ["a name", {}, { description: "x", tags: ["x"] }],
  ] as [string, Given, Given][])("is announced by nothing, and nothing is pending: %s", async (_, before, after) => {
    const { plan, announced, updated } = await change(before, { ...after, restart_policy: "when_needed" });
    expect(announced).toEqual({});
    expect(plannedValue(plan, "pending")).toEqual([]);
    expect(attribute(updated, "pending")).toEqual([]);
  });

  test("waits where the VM has no hotplug", async () => {
    const { plan } = await change({ hotplug: [] }, { hotplug: [], disks: { scsi5: { storage: "nas", size: "1G" } } });
    expect(plannedValue(plan, "pending")).toEqual(["scsi5"]);
  });
});

test("a cloud-init drive that leaves a running VM is named by its attribute", async () => {
  const plain = { clone: null, node: "pve1", disks: { scsi0: { storage: "local-lvm", size: "1G" } } };
  const { announced, said, updated } = await change({ ...plain, cloud_init: { user: "a" } }, plain);
  expect(attribute(updated, "pending")).not.toEqual([]);
  expect(announced["A restart will be needed"]).toMatch(/until it is restarted: (`boot_order`, )?`cloud_init`\./);
  expect(said["A restart is needed"]).toMatch(/after a restart: (`boot_order`, )?`cloud_init`\./);
});

describe("cloud-init's settings of a running VM", () => {
  const at = (n: number) => ({ networks: { net0: { ipv4: { address: `10.0.0.${n}/24` } } } });
  test.each([
    ["an address", { cloud_init: { user: "a" }, ...at(5) }, { cloud_init: { user: "a" }, ...at(6) }, "`networks.net0`"],
    [
      "a key",
      { cloud_init: { user: "a" } },
      { cloud_init: { user: "a", ssh_keys: [sshKey] } },
      "`cloud_init.ssh_keys`",
    ],
    [
      "a password",
      { cloud_init: { password: "one", password_version: 1 } },
      { cloud_init: { password: "two", password_version: 2 } },
      "`cloud_init.password`",
    ],
    [
      "a text",
      { cloud_init: { user_data: "#cloud-config\n" } },
      { cloud_init: { user_data: "#cloud-config\nx: 1\n" } },
      "`cloud_init`",
    ],
  ] as [string, Given, Given, string][])("are read by the guest when it boots: %s", async (_, before, after, name) => {
    const { announced, said, isRestarted, updated } = await change(before, after);
    expect(announced["A restart will be needed"]).toContain(`reads cloud-init's settings when it boots: ${name}`);
    expect(said["A restart is needed"]).toContain(name);
    expect(isRestarted).toBe(false);
    expect(attribute(updated, "pending")).toEqual([]);
    const { isRestarted: isNow } = await change(before, { ...after, restart_policy: "when_needed" });
    expect(isNow).toBe(true);
  });
});

describe("what PVE refuses while the VM runs", () => {
  const tpm = (storage: string) => ({ tpm_state: { storage, version: "v2.0" } });
  const rows: [string, Given, Given, RegExp][] = [
    ["the move of a TPM's state", tpm("local-lvm"), tpm("nas"), /state of a TPM/],
    [
      "another slot for the cloud-init drive",
      { cloud_init: { user: "a" } },
      { cloud_init: { user: "a", slot: "ide0" } },
      /from `ide2` to `ide0`/,
    ],
  ];

  test.each(rows)("is refused in the plan with the cure: %s", async (_, before, after, why) => {
    const text = await refused(before, after);
    expect(text).toMatch(why);
    expect(text).toContain('restart_policy = "when_needed"');
  });

  test.each(rows)("is done with the VM stopped where a restart is allowed: %s", async (_, before, after) => {
    const { announced, said, isRestarted } = await change(before, { ...after, restart_policy: "when_needed" });
    expect(announced).toHaveProperty("The VM will be restarted");
    expect(said).toHaveProperty("The VM was restarted");
    expect(isRestarted).toBe(true);
  });

  test.each(rows)("is done where the VM is to be stopped anyway: %s", async (_, before, after) => {
    const { announced } = await change(before, { ...after, power: "stopped" });
    expect(announced["The VM will be stopped"]).toContain("has 60s to shut down");
  });

  test("is done in the right order with a disk that waits to be attached", async () => {
    const common: Given & { vmid: number } = { ...newVm(), hotplug: [] };
    const disk = (size: string) => ({ ...common, disks: { scsi5: { storage: "nas", size } } });
    const { updated } = await step(await bench.vm.create(common), disk("1G"));
    await expect(bench.vm.plan(await bench.vm.refresh(updated), disk("2G"))).rejects.toThrow(
      "which a restart will attach",
    );
    const { isRestarted } = await step(updated, { ...disk("2G"), restart_policy: "when_needed" });
    expect(isRestarted).toBe(true);
    expect(bench.config(common.vmid)["scsi5"]).toContain("size=2G");
  });

  test("leaves the VM running when it fails", async () => {
    const common = newVm();
    const made = await bench.vm.create({ ...common, ...tpm("local-lvm") });
    const next = { ...common, ...tpm("nas"), restart_policy: "when_needed" };
    const plan = await bench.vm.plan(await bench.vm.refresh(made), next);
    bench.simulator.faults.order({ do: "fail", task: "qmmove", text: "no space left" });
    await expect(bench.vm.apply(plan, next)).rejects.toThrow("no space left");
    expect(bench.guest(common.vmid).run).toBeDefined();
  });
});

describe("a volume that a snapshot needs", () => {
  const disk = { storage: "local-lvm", size: "1G", on_remove: "delete" };
  test.each([
    ["moved", { disks: { scsi5: { ...disk, storage: "nas" } } }],
    ["deleted", { disks: {} }],
  ] as [string, Given][])("is not %s: the plan names the snapshot", async (what, after) => {
    const common = newVm();
    const made = await bench.vm.create({ ...common, disks: { scsi5: disk } });
    const guest = bench.guest(common.vmid);
    guest.snapshots["before"] = { ...guest.config, snaptime: "1" };
    const text = await bench.vm.plan(await bench.vm.refresh(made), { ...common, ...after }).catch(String);
    expect(text).toContain(`cannot be ${what} while a snapshot needs it. Delete first: \`before\``);
  });
});

describe("a slot that holds another kind of drive", () => {
  test.each([
    ["an ISO in the slot of the cloud-init drive", { cloud_init: { user: "a" }, cdroms: { ide2: { file: "none" } } }],
    ["a disk there", { cloud_init: { user: "a" }, disks: { ide2: { storage: "nas", size: "1G" } } }],
    ["a CD drive in the slot of a disk", { cdroms: { scsi0: { file: "none" } } }],
    ["the cloud-init drive in the slot of a disk", { cloud_init: { slot: "scsi0" } }],
  ] as [string, Given][])("is refused in the plan: %s", async (_, after) => {
    expect(await refused({}, after)).toContain("Slot used twice");
    await expect(bench.vm.plan(null, { ...newVm(), ...after })).rejects.toThrow("Slot used twice");
  });

  test.each<[string, Given]>([
    ["and never did", {}],
    ["since its block left", { cloud_init: { type: "nocloud", user: "ops" } }],
    ["since its text left", { cloud_init: { user_data: "#cloud-config\n" } }],
  ])("gives way where nothing wants cloud-init's drive, %s", async (_, before) => {
    const { vmid } = await change({ ...before, power: "stopped" }, { cdroms: { ide2: { file: "none" } } });
    expect(bench.config(vmid)).not.toHaveProperty("ciuser");
    expect(bench.config(vmid)["ide2"]).toBe("none,media=cdrom");
    expect(bench.volumes(vmid).filter((volume) => volume.includes("cloudinit"))).toEqual([]);
  });
});

test("a drive that was emptied for an image in another slot leaves with it", async () => {
  const common = { ...newVm(), power: "running" };
  const moved = { ...common, restart_policy: "when_needed", cloud_init: { slot: "sata1" } };
  const made = await bench.vm.update(await bench.vm.create(common), moved);
  const filled = await bench.vm.update(made, { ...common, cloud_init: { user_data: "#cloud-config\n" } });
  expect(attribute(filled, "pending")).toEqual(["ide2", "sata1"]);
  await bench.vm.destroy(filled);
});

test("an option whose removal was pending when the guest stopped is removed", async () => {
  const common = { ...newVm(), power: "unmanaged" };
  const made = await bench.vm.create({ ...common, power: "running", acpi: false });
  const pending = await bench.vm.update(made, common);
  expect(attribute(pending, "pending")).toEqual(["acpi"]);
  bench.guest(Number(attribute(made, "vmid"))).run = undefined;
  await bench.configure();
  const stopped = await bench.vm.refresh(pending);
  expect([attribute(stopped, "acpi"), attribute(stopped, "pending")]).toEqual([null, []]);
  await bench.vm.destroy(await bench.vm.update(stopped, { ...common, tablet: false }));
});

test("a disc in the slot that cloud-init's drive leaves keeps its place in the boot order", async () => {
  const common = { ...newVm(), power: "stopped" };
  const disc = { ...common, cdroms: { ide0: { file: "none" } } };
  const made = await bench.vm.create({ ...disc, cloud_init: { slot: "sata1" } });
  expect(attribute(made, "boot_order")).toContain("ide0");
  const moved = await bench.vm.update(made, { ...common, cloud_init: { slot: "ide0" } });
  const more = { ...disc, cdroms: { ...disc.cdroms, sata5: { file: "none" } } };
  const back = await bench.vm.update(moved, { ...more, cloud_init: { slot: "sata1" } });
  expect(attribute(back, "boot_order")).toEqual(attribute(made, "boot_order"));
  await bench.vm.destroy(back);
});

test("a TPM's state that is attached again is no longer unused", async () => {
  const common = { ...newVm(), power: "stopped" };
  const made = await bench.vm.create({ ...common, tpm_state: { storage: "ceph", version: "v2.0" } });
  const without = await bench.vm.update(made, common);
  expect(Object.keys(attribute(without, "unused_disks") as object)).toHaveLength(1);
  const back = await bench.vm.update(without, { ...common, tpm_state: { storage: "ceph" } });
  expect(attribute(back, "unused_disks")).toEqual({});
  await bench.vm.destroy(back);
});

describe("outputs", () => {
  test("have the addresses of a card whose MAC address Proxmox VE generates", async () => {
    const networks = { net0: {}, net1: { bridge: "vmbr0" } };
    const made = await bench.vm.create({ ...newVm(), networks, agent: { enabled: true, wait: "20s" } });
    expect(Object.keys(attribute(made, "ip_addresses") as object)).toEqual(["net0", "net1"]);
    await bench.vm.destroy(made);
  });

  test.each([
    ["when it comes", {}, { agent: { wait: "20s" } }],
    ["when it goes", { agent: { wait: "20s" } }, { agent: { enabled: true } }],
    ["when it is set to nothing", { agent: { wait: "20s" } }, { agent: { wait: "0s" } }],
  ] as [string, Given, Given][])("follow the wait for the guest agent: %s", async (_, before, after) => {
    const { updated } = await change(before, after);
    const isAsked = (after["agent"] as { wait?: string } | undefined)?.wait === "20s";
    expect(attribute(updated, "ipv4_address") !== null).toBe(isAsked);
  });

  test("of a guest that changes between plan and apply are stored as planned, and read by the next refresh", async () => {
    const common = { ...newVm(), power: "unmanaged", agent: { wait: "20s" } };
    const made = await bench.vm.create({ ...common, power: "running" });
    const next = { ...common, tags: ["late"] };
    const plan = await bench.vm.plan(await bench.vm.refresh(made), next);
    bench.guest(Number(common.vmid)).run = undefined;
    const updated = await bench.vm.apply(plan, next);
    expect(attribute(updated, "status")).toBe("running");
    expect(attribute(await bench.vm.refresh(updated), "status")).toBe("stopped");
  });

  test("of a disk that another user moves between plan and apply are no bug, and the change is made", async () => {
    const common = { ...newVm(), power: "stopped", disks: { scsi0: {} } };
    const made = await bench.vm.create(common);
    const next = { ...common, tags: ["late"] };
    const plan = await bench.vm.plan(await bench.vm.refresh(made), next);
    const path = `/nodes/${bench.guest(common.vmid).node}/qemu/${common.vmid}/move_disk`;
    await askAsOther(bench, "POST", path, { disk: "scsi0", storage: "ceph", delete: "1" });
    await bench.configure();
    await expect(bench.vm.apply(plan, next)).rejects.toThrow(
      /^ApplyResourceChange: Changed by others after the plan: .*`disks\["scsi0"\]\.storage`/,
    );
    expect(bench.config(common.vmid)["tags"]).toBe("late");
    await bench.vm.expectSettled(await bench.vm.refresh(made), next);
  });

  test("of a disk that another user detaches between plan and apply: the next plan gives the slot its disk back", async () => {
    const common = { ...newVm(), power: "stopped", disks: { scsi1: { storage: "local-lvm", size: "2G" } } };
    const made = await bench.vm.create(common);
    const next = { ...common, tags: ["late"] };
    const plan = await bench.vm.plan(await bench.vm.refresh(made), next);
    const path = `/nodes/${bench.guest(common.vmid).node}/qemu/${common.vmid}/config`;
    await askAsOther(bench, "PUT", path, { delete: "scsi1" });
    await bench.configure();
    await expect(bench.vm.apply(plan, next)).rejects.toThrow(/slots are gone \(scsi1\)/);
    const again = await bench.vm.plan(await bench.vm.refresh(made), next);
    expect(again.warnings.map(({ summary }) => summary)).toContain("scsi1 gets its disk back");
    await bench.vm.destroy(await bench.vm.apply(again, next));
  });

  test.each(["never", "when_needed"])(
    "have no empty boot order after its only device has left (%s)",
    async (policy) => {
      const common = { name: "net-boot", vmid: 797, node: "pve1", restart_policy: policy };
      const disks = { scsi0: { storage: "local-lvm", size: "2G" } };
      const made = await bench.vm.create({ ...common, disks, networks: { net0: {} }, boot_order: ["net0"] });
      const less = await bench.vm.update(made, { ...common, disks });
      expect(bench.config(797)["boot"]).toBeUndefined();
      await bench.vm.destroy(less);
    },
  );

  test("of a VM that another user deletes between plan and apply are refused, since it is gone", async () => {
    const common = { ...newVm(), power: "stopped" };
    const made = await bench.vm.create(common);
    const next = { ...common, tags: ["late"] };
    const plan = await bench.vm.plan(await bench.vm.refresh(made), next);
    await askAsOther(bench, "DELETE", `/nodes/${bench.guest(common.vmid).node}/qemu/${common.vmid}`, {});
    await bench.configure();
    await expect(bench.vm.apply(plan, next)).rejects.toThrow(/^PlanResourceChange: VM is gone/);
  });

  test.each([
    ["leaves a change pending", { cores: "7" }, /wait for a restart \(cores\)/],
    ["removes a slot of the template", { delete: "net0" }, /slots are gone \(net0\)/],
  ] as [string, Record<string, string>, RegExp][])(
    "are refused before anything changes if another user %s between plan and apply",
    async (_, theirs, cause) => {
      const common = newVm();
      const made = await bench.vm.create(common);
      const next = { ...common, tags: ["late"] };
      const plan = await bench.vm.plan(await bench.vm.refresh(made), next);
      await askAsOther(bench, "PUT", `/nodes/${bench.guest(common.vmid).node}/qemu/${common.vmid}/config`, theirs);
      await bench.configure();
      const refused = bench.vm.apply(plan, next);
      await expect(refused).rejects.toThrow(/^PlanResourceChange: Changed by others after the plan/);
      await expect(refused).rejects.toThrow(cause);
      expect(bench.config(common.vmid)["tags"]).not.toBe("late");
      await bench.vm.destroy(await bench.vm.update(made, next));
    },
  );

  test("that are static or written are known in the plan, with the guest agent too", async () => {
    const networks = {
      net0: { bridge: "vmbr0", mac: "BC:24:22:00:00:01", ipv4: { address: "10.9.0.5/24" } },
      net1: { bridge: "vmbr1" },
    };
    const { planned } = await bench.vm.plan(null, { ...newVm(), networks, agent: { wait: "20s" } });
    const { ipv4_address, mac_addresses, pending, status } = planned as Record<string, unknown>;
    expect({ ipv4_address, pending, status }).toEqual({ ipv4_address: "10.9.0.5", pending: [], status: "running" });
    expect((mac_addresses as Record<string, unknown>)["net0"]).toBe("BC:24:22:00:00:01");
    expect(Object.keys(mac_addresses as object)).toEqual(["net0", "net1"]);
  });
});

describe("a description", () => {
  test.each(["  ", "a  \nb ", "\n  leading", "trailing  \n\n", "a\r\nb\r\n"])(
    "is kept as it is written: %j",
    async (text) => {
      const common = newVm();
      const made = await bench.vm.create({ ...common, description: text });
      await step(made, { ...common, description: `${text}x \n` });
    },
  );
});

test("an image that is larger than the disk is refused in the plan, with its size", async () => {
  const { world } = bench.simulator.sim;
  const file = { node: undefined, size: 500 * 2 ** 20, ctime: 1 };
  world.volumes.push({
    ...file,
    volid: "nas:import/big.qcow2",
    content: "import",
    format: "qcow2",
    virtualSize: 3 * 2 ** 30,
  });
  const vm = (size: string | null) => ({
    name: "imported",
    node: "pve1",
    disks: { scsi0: { storage: "local-lvm", import_from: "nas:import/big.qcow2", size } },
  });
  await expect(bench.vm.plan(null, vm("2G"))).rejects.toThrow(/`scsi0` is to be 2G.*a disk of 3G.*at least 3G/);
  await bench.configure();
  expect((await bench.vm.plan(null, vm("3G"))).action).toBe("create");
});
