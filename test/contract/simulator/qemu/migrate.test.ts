import { describe, expect, test } from "vitest";
import { vmLab, vmSeed } from "./vm-lab.ts";

const lab = vmLab({
  ...vmSeed,
  guests: [
    ...vmSeed.guests,
    { vmid: 210, config: { name: "shared", scsi0: "share:210/vm-210-disk-0.qcow2,size=1G" } },
    {
      vmid: 211,
      config: { name: "mixed", scsi0: "thin:vm-211-disk-0,size=1G", unused0: "share:211/vm-211-disk-0.raw" },
    },
  ],
});
const { ask, run, config, lastLog } = lab;

type Form = Record<string, string | number>;
const migrate = (vmid: number, options: Form = {}) =>
  run(`POST /nodes/pve1/qemu/${vmid}/migrate`, { target: "pve2", ...options });

describe("moving a VM to another node", () => {
  test("with shared disks takes the configuration only", async () => {
    expect(await migrate(210)).toBe("OK");
    expect(await ask("GET /nodes/pve1/qemu/210/config")).toMatch(/^500 Configuration file/);
    expect(await config(210, {}, "pve2")).toEqual({ name: "shared", scsi0: "share:210/vm-210-disk-0.qcow2,size=1G" });
  });

  test("while it runs keeps it running", async () => {
    await run("POST /nodes/pve1/qemu/210/status/start");
    expect(await ask("POST /nodes/pve1/qemu/210/migrate", { target: "pve2" })).toBe(
      "500 can't migrate running VM without --online",
    );
    expect(await migrate(210, { online: 1 })).toBe("OK");
    expect(await ask("GET /nodes/pve2/qemu/210/status/current")).toMatchObject({ status: "running" });
  });

  test("with local disks copies them", async () => {
    expect(await migrate(211)).toBe("OK");
    expect(await config(211, {}, "pve2")).toMatchObject({ scsi0: "thin:vm-211-disk-0,size=1G" });
    expect(await ask("GET /nodes/pve1/storage/thin/content", { vmid: 211 })).toEqual([]);
    expect(await ask("GET /nodes/pve2/storage/thin/content", { vmid: 211 })).toHaveLength(1);
  });

  test("ends with problems, and on the other node, when a copied disk cannot be removed", async () => {
    lab.simulator.faults.order({ do: "refuse_delete", storage: "thin", times: 1 });
    expect(await migrate(211)).toBe("migration problems");
    expect(await config(211, {}, "pve2")).toEqual(expect.not.objectContaining({ lock: expect.anything() }));
    expect(await ask("GET /nodes/pve1/storage/thin/content", { vmid: 211 })).toHaveLength(1);
  });

  test("onto another storage renames the disk", async () => {
    expect(await migrate(211, { targetstorage: "local" })).toBe("OK");
    expect(await config(211, {}, "pve2")).toMatchObject({
      scsi0: expect.stringMatching(/^local:211\/vm-211-disk-\d\.raw,size=1G$/),
    });
  });

  test("with local disks while it runs has to be asked for", async () => {
    await run("POST /nodes/pve1/qemu/211/status/start");
    expect(await migrate(211, { online: 1 })).toBe("migration aborted");
    expect(lastLog().join("\n")).toContain("can't live migrate attached local disks without with-local-disks option");
    expect(await migrate(211, { online: 1, "with-local-disks": 1 })).toBe("OK");
    expect(await ask("GET /nodes/pve2/qemu/211/status/current")).toMatchObject({ status: "running" });
  });

  test.each<[string, number, Form, string]>([
    ["to where it is", 210, { target: "pve1" }, "400 Parameter verification failed. | target: target is local node."],
    ["to a node that is not there", 210, { target: "pve7" }, "500 no such cluster node 'pve7'"],
    ["that is not there", 299, {}, "500 Configuration file 'nodes/pve1/qemu-server/299.conf' does not exist"],
    ["onto a storage that is not there", 211, { targetstorage: "nope" }, "500 storage 'nope' does not exist"],
  ])("is refused for one %s", async (_, vmid, options, expected) => {
    expect(await migrate(vmid, options)).toBe(expected);
  });

  test("is refused while it is locked", async () => {
    lab.lock(210, "backup");
    expect(await migrate(210)).toContain("VM is locked (backup)");
  });

  test("with a device of the host is refused", async () => {
    Object.assign(lab.simulator.sim.world.guests[210]?.config ?? {}, { hostpci0: "0000:01:00.0" });
    expect(await migrate(210)).toBe("migration aborted");
    expect(lastLog().join("\n")).toContain("can't migrate VM which uses local devices: hostpci0");
    expect(await config(210)).not.toHaveProperty("lock");
  });
});

describe("what is known before", () => {
  const conditions = (vmid: number) => ask(`GET /nodes/pve1/qemu/${vmid}/migrate`);

  test("of shared disks", async () => {
    expect(await conditions(210)).toMatchObject({
      running: 0,
      allowed_nodes: ["pve2"],
      local_disks: [],
      local_resources: [],
    });
  });

  test("of local disks and devices", async () => {
    Object.assign(lab.simulator.sim.world.guests[211]?.config ?? {}, { usb0: "host=1234:5678" });
    expect(await conditions(211)).toMatchObject({
      local_disks: [expect.objectContaining({ volid: "thin:vm-211-disk-0", size: 2 ** 30 })],
      local_resources: ["usb0"],
    });
  });

  test("of a storage the other node does not have", async () => {
    await ask("PUT /storage/thin", { nodes: "pve1" });
    expect(await conditions(211)).toMatchObject({
      allowed_nodes: [],
      not_allowed_nodes: { pve2: { unavailable_storages: ["thin"] } },
    });
  });
});
