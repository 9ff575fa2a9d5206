import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { attribute } from "../resource-bench.ts";
import { Bench } from "./suite.ts";

let bench: Bench;

beforeAll(async () => {
  bench = await Bench.open({ env: { PROXMOX_VE_LOCK_WAITS: "50ms,100ms,200ms,400ms" } });
});

afterEach(() => bench.simulator.faults.clear());

afterAll(() => bench.close());

const clone = { template: "debian-13-cloud" };
const config = (vmid: number, more: object = {}) => ({
  name: `f-${vmid}`,
  vmid,
  node: "pve1",
  clone,
  power: "stopped",
  ...more,
});

describe("in spite of", () => {
  test("an offline node, its VMs keep their last state", async () => {
    const made = await bench.vm.create({ ...config(870), node: "pve2" });
    bench.simulator.faults.order({ do: "offline", node: "pve2" });
    await bench.restart();
    const read = await bench.vm.refresh(made);
    expect(attribute(read, "name")).toBe("f-870");
    expect((await bench.vm.plan(read, { ...config(870), node: "pve2" })).action).toBe("no-op");
  });

  test("a lock that another operation holds for a moment, a VM is configured", async () => {
    const made = await bench.vm.create(config(871));
    bench.simulator.faults.order({
      do: "fail",
      task: "resize",
      text: "can't lock file '/var/lock/qemu-server/lock-871.conf' - got timeout",
    });
    await bench.vm.update(made, config(871, { disks: { scsi0: { size: "9G" } } }));
    expect(bench.config(871)["scsi0"]).toContain("size=9G");
  });

  test("a clone that fails on a lock, the VM is made, once", async () => {
    bench.simulator.faults.order({
      do: "fail",
      task: "qmclone",
      text: "clone failed: can't lock file '/var/lock/pve-manager/pve-storage-ceph' - got timeout",
    });
    await bench.vm.create(config(872));
    expect(bench.vmids().filter((vmid) => bench.config(vmid)["name"] === "f-872")).toEqual([872]);
  });

  test.each([
    ["user data", { cloud_init: { user_data: "#cloud-config\n" } }],
    ["a disc", { cdroms: { sata5: { file: "none" } }, boot_order: ["scsi0"] }],
  ])("an answer to the configuration that is lost, %s does not enter the boot order", async (_, more) => {
    const order = () =>
      bench.simulator.faults.order({ do: "reset", call: "PUT /nodes/{node}/qemu/{vmid}/config", after: 1, times: 2 });
    order();
    const made = await bench.vm.create(config(880, more));
    expect(bench.config(880)["boot"]).toBe("order=scsi0");
    const plain = await bench.vm.update(made, config(880));
    order();
    const changed = await bench.vm.update(plain, config(880, more));
    expect(bench.config(880)["boot"]).toBe("order=scsi0");
    await bench.vm.destroy(changed);
  });

  test("an answer to the configuration that is lost, a clone keeps the protection of its template", async () => {
    bench.guest(9001).config["protection"] = "1";
    await bench.restart();
    bench.simulator.faults.order({ do: "reset", call: "PUT /nodes/{node}/qemu/{vmid}/config", after: 1 });
    await bench.vm.create(config(885, { cpu: { cores: 5 } }));
    expect(bench.config(885)["protection"]).toBe("1");
    delete bench.guest(9001).config["protection"];
    await bench.restart();
  });

  test("an answer to the clone that is lost, the VM is found and made complete", async () => {
    bench.simulator.faults.order({ do: "reset", call: "POST /nodes/{node}/qemu/{vmid}/clone", after: 1 });
    const made = await bench.vm.create(config(873, { cpu: { cores: 5 } }));
    expect(attribute(made, "vmid")).toBe(873);
    expect(bench.config(873)["cores"]).toBe("5");
  });

  test("an answer to a change that is lost, it is made once and known", async () => {
    const made = await bench.vm.create(config(874));
    bench.simulator.faults.order({ do: "reset", call: "PUT /nodes/{node}/qemu/{vmid}/config", after: 1 });
    await bench.vm.update(made, config(874, { cpu: { cores: 6 } }));
    expect(bench.config(874)["cores"]).toBe("6");
  });

  test("a VMID that another client takes at the last moment, the next one is used", async () => {
    bench.simulator.faults.order({ do: "take_vmid" });
    const made = await bench.vm.create({ name: "beaten", clone });
    expect(bench.config(Number(attribute(made, "vmid")))["name"]).toBe("beaten");
  });
});

test("a clone that fails leaves nothing behind, and says why", async () => {
  bench.simulator.faults.order({ do: "fail", task: "qmclone", text: "clone failed: no space left" });
  const refused = bench.vm.create(config(875));
  await expect(refused).rejects.toThrow(/Unable to create VM "f-875"[\s\S]*no space left/);
  await expect(refused).rejects.toMatchObject({ remains: null });
  expect(bench.has(875)).toBe(false);
});

test("a start that fails leaves a VM that Terraform knows of", async () => {
  bench.simulator.faults.order({ do: "fail", task: "qmstart", text: "start failed: QEMU exited with code 1" });
  const refused = bench.vm.create(config(876, { power: "running" }));
  await expect(refused).rejects.toThrow(/QEMU exited/);
  await expect(refused).rejects.toMatchObject({ remains: { state: { name: "f-876" } } });
});

describe("a VM that another client moves while it is read", () => {
  const listed = "GET /cluster/resources";
  const move = (vmid: number) => bench.simulator.faults.order({ do: "move_vm", vmid, node: "pve3", call: listed });

  afterEach(async () => {
    bench.simulator.faults.clear();
    await bench.configure();
  });

  test("is found on its new node", async () => {
    const made = await bench.vm.create(config(884));
    move(884);
    await bench.configure();
    expect(attribute(await bench.vm.refresh(made), "node")).toBe("pve3");
  });

  test("is not gone because it is hidden there", async () => {
    const made = await bench.vm.create(config(886));
    move(886);
    await bench.configure();
    const stop = bench.simulator.sim.log.subscribe(({ path }) => {
      if (/\/qemu\/886\/(config|pending)$/.test(path))
        bench.simulator.faults.order({ do: "revoke", privilege: "VM.Audit" });
    });
    await expect(bench.vm.refresh(made)).rejects.toThrow(/VM 886 cannot be seen.*Grant VM\.Audit/s);
    stop();
  });
});

describe("a host that is too busy to start a worker", () => {
  const busy = (task: string, times = 2) => bench.simulator.faults.order({ do: "no_worker", task, times });

  test("is asked again at every step of a VM's life", async () => {
    for (const task of ["qmclone", "qmconfig", "resize", "qmstart", "qmigrate", "qmstop", "qmdestroy"]) busy(task);
    const wanted = config(880, { clone: { template: "debian-13-cloud", full: true }, power: "running" });
    const made = await bench.vm.create({ ...wanted, disks: { scsi0: { size: "9G" } } });
    expect(attribute(made, "status")).toBe("running");
    const stopped = await bench.vm.update(made, { ...wanted, disks: { scsi0: { size: "9G" } }, power: "stopped" });
    const moved = await bench.vm.update(stopped, {
      ...wanted,
      node: "pve3",
      disks: { scsi0: { size: "9G" } },
      power: "stopped",
    });
    await bench.vm.destroy(moved);
    expect(bench.has(880)).toBe(false);
  });

  test("fails a create in the end with what to look at, and leaves nothing", async () => {
    busy("qmclone", 0);
    const refused = bench.vm.create(config(881));
    await expect(refused).rejects.toThrow(/got no worker upid - start worker failed \(5 attempts/);
    await expect(refused).rejects.toThrow("The host is too busy to begin the work, and nothing was done.");
    expect(bench.has(881)).toBe(false);
  });

  test("leaves the VMID of a new VM reserved: another one is taken, or the cure is named", async () => {
    const { clone: _, ...fresh } = config(882);
    busy("qmcreate", 1);
    await expect(bench.vm.create(fresh)).rejects.toThrow("qm unlock 882 && qm destroy 882");
    await bench.configure();
    await expect(bench.vm.plan(null, fresh)).rejects.toThrow("VMID 882 is left reserved");
    busy("qmcreate", 1);
    const { vmid: __, ...anywhere } = { ...fresh, name: "f-any" };
    const made = await bench.vm.create(anywhere);
    expect(bench.config(Number(attribute(made, "vmid")))["name"]).toBe("f-any");
    await bench.vm.destroy(made);
  });
});
