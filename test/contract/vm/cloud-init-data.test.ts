import { inspect } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Instance } from "../../harness/index.ts";
import { attribute, writable } from "../resource-bench.ts";
import { askAsOther, Bench, type Input, sshKey } from "./suite.ts";

let bench: Bench;
let vmid = 700;

beforeAll(async () => {
  bench = await Bench.open();
});
beforeEach(() => {
  vmid += 1;
});
afterAll(() => bench.close());

const userData = "#cloud-config\nusers: [ops]\n";
const config = (cloudInit: Input, more: object = {}) => ({
  name: `data-${vmid}`,
  vmid,
  node: "pve1",
  clone: { template: "ubuntu-24.04-cloud" },
  power: "stopped",
  cloud_init: cloudInit,
  ...more,
});
const images = (id = vmid) =>
  bench.simulator.sim.world.volumes.flatMap(({ volid, node }) =>
    volid.includes(`:iso/cloud-init-${id}-`) ? [{ volid, node }] : [],
  );
const volumeName = (storage: string) => new RegExp(`^${storage}:iso/cloud-init-${vmid}-[0-9a-f]{16}\\.iso$`);

describe.each(["user_data", "user_data_wo"])("text for cloud-init as %s", (form) => {
  const text = (more: object = {}, value = userData) => ({ [form]: value, ...more });

  test("is uploaded as an image and takes the place of PVE's own drive", async () => {
    const made = await bench.vm.create(config(text({ network_data: "version: 2\n" })));
    const volume = String(attribute(made, "cloud_init", "data_volume"));
    expect(volume).toMatch(volumeName("nas"));
    expect(images().map(({ volid }) => volid)).toEqual([volume]);
    expect(bench.config(vmid)["ide2"]).toMatch(new RegExp(`^${volume},media=cdrom`));
    expect(bench.volumes(vmid).filter((volid) => volid.includes("cloudinit"))).toEqual([]);
    expect((await bench.vm.plan(made, config(text({ network_data: "version: 2\n" })))).action).toBe("no-op");
  });

  test("that comes to a running VM leaves no volume of PVE's own drive behind", async () => {
    const made = await bench.vm.create(config({ user: "ops" }, { power: "running" }));
    await bench.vm.update(made, config(text(), { power: "running" }));
    expect(bench.volumes(vmid).filter((volid) => volid.includes("cloudinit"))).toEqual([]);
  });

  test("that comes and goes on a storage that refuses to delete leaves nothing behind either", async () => {
    const made = await bench.vm.create(config({ user: "ops" }));
    bench.simulator.faults.order({ do: "refuse_delete", storage: "local-lvm", times: 1 });
    const changed = await bench.vm.update(made, config(text()));
    expect(bench.volumes(vmid).filter((volid) => volid.includes("cloudinit"))).toEqual([]);
    await bench.vm.update(changed, config({ user: "ops" }));
    expect(images()).toEqual([]);
  });

  test("whose upload fails after all leaves no image behind", async () => {
    const made = await bench.vm.create(config({ user: "ops" }));
    bench.simulator.faults.order({ do: "fail", task: "imgcopy", text: "no space left on device", after: 1 });
    await expect(bench.vm.update(made, config(text()))).rejects.toThrow("no space left");
    expect(images()).toEqual([]);
  });

  test.each(["running", "stopped"])(
    "of a %s VM is changed in place, and the image before it removed",
    async (power) => {
      const made = await bench.vm.create(config(text(), { power }));
      const before = bench.guest(vmid).run?.pid;
      const other = config(text({}, `${userData}packages: [git]\n`), { power });
      const changed = await bench.vm.update(made, other);
      const volume = attribute(changed, "cloud_init", "data_volume");
      expect(volume).not.toBe(attribute(made, "cloud_init", "data_volume"));
      expect(images().map(({ volid }) => volid)).toEqual([volume]);
      expect(bench.guest(vmid).config["ide2"]).toContain(`${volume},`);
      expect(bench.guest(vmid).run?.pid).toBe(before);
      expect(attribute(changed, "pending")).toEqual([]);
    },
  );

  test("goes with its VM", async () => {
    const made = await bench.vm.create(config(text()));
    await bench.vm.destroy(made);
    expect(images()).toEqual([]);
  });

  test("goes with its VM from each storage where a snapshot has kept an image of it", async () => {
    const made = await bench.vm.create(config(text({ data_storage: "local" })));
    await askAsOther(bench, "POST", `/nodes/pve1/qemu/${vmid}/snapshot`, { snapname: "before" });
    await bench.configure();
    const moved = await bench.vm.update(made, config(text({ data_storage: "nas" })));
    expect(
      images()
        .map(({ volid }) => volid.split(":")[0])
        .sort(),
    ).toEqual(["local", "nas"]);
    await bench.vm.destroy(moved);
    expect(images()).toEqual([]);
  });

  test("that leaves the configuration leaves the VM, which gets PVE's own drive again", async () => {
    const made = await bench.vm.create(config(text()));
    const changed = await bench.vm.update(made, config({ user: "ops" }));
    expect(images()).toEqual([]);
    expect(bench.config(vmid)).toMatchObject({ ciuser: "ops" });
    expect(bench.config(vmid)["ide2"]).toContain("cloudinit");
    expect(attribute(changed, "cloud_init", "data_volume")).toBeNull();
  });

  test("comes to a VM that had PVE's own drive", async () => {
    const made = await bench.vm.create(config({ upgrade: false }));
    await bench.vm.update(made, config(text()));
    expect(bench.config(vmid)["ide2"]).toContain(images()[0]?.volid);
  });

  test("is on the configured storage, in the configured drive", async () => {
    const made = await bench.vm.create(config(text({ data_storage: "local", slot: "sata3" })));
    expect(images()).toMatchObject([{ node: "pve1" }]);
    expect(bench.config(vmid)["sata3"]).toMatch(/^local:iso\/cloud-init-/);
    expect(bench.config(vmid)["ide2"]).toBeUndefined();
    const moved = await bench.vm.update(made, config(text({ data_storage: "nas" })));
    expect(images().map(({ volid }) => volid)).toEqual([attribute(moved, "cloud_init", "data_volume")]);
  });

  test("on a local storage follows its VM to another node", async () => {
    const cloudInit = text({ data_storage: "local" });
    const made = await bench.vm.create(config(cloudInit));
    const moved = await bench.vm.update(made, config(cloudInit, { node: "pve2" }));
    expect(images()).toMatchObject([{ node: "pve2" }]);
    expect(bench.config(vmid)["ide2"]).toContain(images()[0]?.volid);
    expect((await bench.vm.plan(moved, config(cloudInit, { node: "pve2" }))).action).toBe("no-op");
  });

  test("that a move by another client has left behind is dropped in the move back", async () => {
    const clone = { template: "debian-13-cloud" };
    const made = await bench.vm.create(config(text({ data_storage: "local" }), { clone }));
    bench.guest(vmid).node = "pve3";
    await bench.restart();
    const back = config({ user: "ops" }, { clone, node: "pve2" });
    const now = await bench.vm.update(await bench.vm.refresh(made), back);
    expect(bench.config(vmid)["ide2"]).toContain("cloudinit");
    expect((await bench.vm.plan(now, back)).action).toBe("no-op");
  });

  test("is put back when another client empties the drive", async () => {
    const wanted = config(text());
    const made = await bench.vm.create(wanted);
    bench.guest(vmid).config["ide2"] = "none,media=cdrom";
    await bench.restart();
    const repaired = await bench.vm.update(await bench.vm.refresh(made), wanted);
    expect(Object.values(bench.config(vmid)).some((line) => line.includes(images()[0]?.volid ?? "?"))).toBe(true);
    expect((await bench.vm.plan(repaired, wanted)).action).toBe("no-op");
  });

  test("leaves no image behind, even if its storage may no longer be looked into", async () => {
    const { access } = bench.simulator.sim.world;
    await bench.restart("terraform@pve!tf");
    const made = await bench.vm.create(config(text()));
    const roles = structuredClone(access.roles);
    try {
      for (const [name, privileges] of Object.entries(access.roles)) {
        const others = privileges.filter((privilege) => privilege !== "Datastore.Audit");
        access.roles[name] = [...others, "Datastore.Allocate"];
      }
      await bench.restart("terraform@pve!tf"); // Who has looked already knows the storage.
      await bench.vm.update(made, { ...config({}), cloud_init: { user: "ops" } });
    } finally {
      access.roles = roles;
      await bench.restart();
    }
    expect(images()).toEqual([]);
  });

  test.each(["running", "stopped"])(
    "on a local storage follows a %s VM that another client has moved",
    async (power) => {
      const wanted = config(text({ data_storage: "local" }), { power, node: undefined });
      const { node: _, ...anywhere } = wanted;
      const made = await bench.vm.create(anywhere);
      bench.guest(vmid).node = "pve3";
      await bench.restart();
      const seen = await bench.vm.refresh(made);
      const updated = await bench.vm.update(seen, anywhere);
      expect(images()).toEqual([{ volid: attribute(updated, "cloud_init", "data_volume"), node: "pve3" }]);
      expect((await bench.vm.plan(await bench.vm.refresh(updated), anywhere)).action).toBe("no-op");
    },
  );

  test("is kept by an import that does not know it", async () => {
    await bench.vm.create(config(text()));
    const imported = await bench.vm.import({ id: String(vmid) });
    expect(attribute(imported, "cdroms")).toBeNull();
    const { cloud_init: generated, ...rest } = writable(bench.vm, imported) as Record<string, object>;
    const { data_storage: omitted, ...cloudInit } = generated as Record<string, unknown>;
    expect(omitted).toBe("nas");
    expect((await bench.vm.plan(imported, { ...rest, cloud_init: cloudInit } as Input)).action).toBe("no-op");
  });

  test("is part of a VM made from nothing, and leaves its boot order alone", async () => {
    const { clone, ...rest } = config(text(), { disks: { scsi0: { storage: "local-lvm", size: "1G" } } });
    await bench.vm.create({ ...rest, boot_order: ["scsi0"] });
    expect(bench.config(vmid)).toMatchObject({ boot: "order=scsi0" });
    expect(bench.config(vmid)["ide2"]).toContain(images()[0]?.volid);
  });

  test.each<[string, Input, object, string]>([
    ["a user", { user: "ops" }, {}, "`user` would never reach the guest"],
    ["keys", { ssh_keys: [sshKey] }, {}, "`ssh_keys` would never reach the guest"],
    ["a snippet", { snippets: { user: "local:snippets/a.yaml" } }, {}, "`snippets` would never reach the guest"],
    ["an address", {}, { networks: { net0: { ipv4: { address: "dhcp" } } } }, "only by `cloud_init.network_data`"],
    ["a storage that holds no images", { data_storage: "ceph" }, {}, "Those that can: `nas`, `local`"],
  ])("is refused beside %s", async (_, cloudInit, more, message) => {
    const wanted = config(text({ ...(cloudInit as object) }), more);
    await expect(bench.vm.plan(null, wanted)).rejects.toThrow(message);
  });

  test("needs user data", async () => {
    await expect(bench.vm.plan(null, config({ network_data: "version: 2\n" }))).rejects.toThrow("User data needed");
  });
});

describe("plain text for cloud-init", () => {
  test("leaves the VM together with its block, even if another client has emptied the drive", async () => {
    const made = await bench.vm.create(config({ user_data: userData }));
    bench.guest(vmid).config["ide2"] = "none,media=cdrom";
    const { cloud_init: _, ...silent } = config({});
    const updated = await bench.vm.update(await bench.vm.refresh(made), { ...silent, on_boot: true });
    expect(bench.config(vmid)[String(attribute(updated, "cloud_init", "slot"))]).toContain("cloudinit");
    expect(images()).toHaveLength(0);
  });
});

describe("write-only text for cloud-init", () => {
  const secret = "#cloud-config\npassword: tr0ub4dor-and-3\n";
  const volume = (instance: Instance) => attribute(instance, "cloud_init", "data_volume");
  const version = (text: string, data_version: number | null) => config({ user_data_wo: text, data_version });

  test("is in no state and no plan; the hash of its image is", async () => {
    const wanted = config({ user_data_wo: secret, vendor_data_wo: "tr0ub4dor-too", data_version: 1 });
    const plan = await bench.vm.plan(null, wanted);
    const made = await bench.vm.apply(plan, wanted);
    const text = inspect([plan.planned, made.state], { depth: null });
    expect(text).toContain("cloud-init-");
    expect(text).not.toContain("tr0ub4dor");
    expect(Buffer.from(made.private).toString()).not.toContain("tr0ub4dor");
    expect(volume(made)).toMatch(volumeName("nas"));
  });

  test("that changes is another image without a version, and none as long as the version stays", async () => {
    const made = await bench.vm.create(version(secret, null));
    expect((await bench.vm.plan(made, version(secret, null))).action).toBe("no-op");
    const changed = await bench.vm.update(made, version(`${secret}# 2\n`, null));
    expect(volume(changed)).not.toBe(volume(made));
    const held = await bench.vm.update(changed, version(`${secret}# 2\n`, 1));
    expect((await bench.vm.plan(held, version(`${secret}# 3\n`, 1))).action).toBe("no-op");
    const other = config({ user_data_wo: `${secret}# 3\n`, data_version: 1 }, { on_boot: true });
    const updated = await bench.vm.update(held, other);
    expect(volume(updated)).toBe(volume(held));
    expect(images().map(({ volid }) => volid)).toEqual([volume(held)]);
    const raised = await bench.vm.update(updated, version(`${secret}# 3\n`, 2));
    expect(images().map(({ volid }) => volid)).toEqual([volume(raised)]);
    expect(volume(raised)).not.toBe(volume(held));
  });

  test.each([null, 1])("is put back when another client changes the disc, with version %s", async (number) => {
    const wanted = version(secret, number);
    const made = await bench.vm.create(wanted);
    bench.guest(vmid).config["ide2"] = "nas:iso/cloud-init-1-0000000000000000.iso,media=cdrom";
    await bench.restart();
    const repaired = await bench.vm.update(await bench.vm.refresh(made), wanted);
    expect(volume(repaired)).toBe(volume(made));
    expect(bench.config(vmid)["ide2"]).toContain(String(volume(made)));
    expect((await bench.vm.plan(repaired, wanted)).action).toBe("no-op");
  });

  test("may be another at the moment of applying", async () => {
    const planned = await bench.vm.plan(null, version(secret, 1));
    const made = await bench.vm.apply(planned, version(`${secret}# other\n`, 1));
    expect((await bench.vm.plan(made, version(`${secret}# third\n`, 1))).action).toBe("no-op");
    const changes = config({ user_data_wo: secret, data_version: 1 }, { on_boot: true });
    const plan = await bench.vm.plan(made, changes);
    const late = config({ user_data_wo: `${secret}# fourth\n`, data_version: 1 }, { on_boot: true });
    expect(volume(await bench.vm.apply(plan, late))).toBe(volume(made));
  });

  test("takes the place of text that was stored, and the other way round", async () => {
    const stored = await bench.vm.create(config({ user_data: userData }));
    const hidden = await bench.vm.update(stored, config({ user_data_wo: userData }));
    expect(volume(hidden)).toBe(volume(stored));
    expect(attribute(hidden, "cloud_init", "user_data")).toBeNull();
    const again = await bench.vm.update(hidden, config({ user_data: userData }));
    expect((await bench.vm.plan(again, config({ user_data: userData }))).action).toBe("no-op");
  });

  test("leaves the VM together with its block", async () => {
    const made = await bench.vm.create(config({ user_data_wo: secret }));
    const { cloud_init: _, ...silent } = config({});
    const updated = await bench.vm.update(made, { ...silent, on_boot: true });
    expect(bench.config(vmid)["ide2"]).toContain("cloudinit");
    expect(images()).toHaveLength(0);
    expect((await bench.vm.plan(updated, { ...silent, on_boot: true })).action).toBe("no-op");
  });

  test("is refused beside the other form", async () => {
    const wanted = config({ user_data: userData, user_data_wo: secret });
    await expect(bench.vm.plan(null, wanted)).rejects.toThrow("Text given twice");
  });
});
