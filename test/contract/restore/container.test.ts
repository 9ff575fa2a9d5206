import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Input } from "../../harness/index.ts";
import { attribute } from "../resource-bench.ts";
import { Bench } from "./suite.ts";

let bench: Bench;
let archive: string;

beforeAll(async () => {
  bench = await Bench.openWith();
});
beforeEach(async () => {
  bench.simulator.reset();
  await bench.configure();
  archive = await bench.backUp(401);
});
afterAll(() => bench.close());

const restored = (more: Record<string, Input> = {}, restore: Record<string, Input> = {}) => ({
  name: "copy",
  vmid: 501,
  node: "pve1",
  power: "stopped",
  restore: { archive, ...restore },
  ...more,
});
const planned = async (config: Input) => {
  await bench.configure();
  const plan = await bench.container.plan(null, config);
  await bench.configure();
  return { at: (...path: string[]) => attribute({ state: plan.planned } as never, ...path), warnings: plan.warnings };
};

describe("a restored container", () => {
  test("equals the container that was backed up, with each volume where it was", async () => {
    const made = await bench.container.create(restored());
    expect({ ...bench.portable(501), hostname: "cache" }).toEqual(bench.portable(401));
    expect(bench.volumes(501)).toEqual(["local-lvm:vm-501-disk-0", "local-zfs:subvol-501-disk-0"]);
    expect(attribute(made, "inherited")).toEqual(["rootfs", "mp0", "net0"]);
    await bench.container.destroy(made);
    expect(bench.has(501)).toBe(false);
  });

  test("has the swap that Proxmox VE gives it where the backup says nothing of it", async () => {
    delete bench.guest(401).config["swap"];
    archive = await bench.backUp(401, "local");
    expect((await planned(restored())).at("memory", "swap")).toBe("512M");
    const made = await bench.container.create(restored({ memory: { swap: "1G" } }));
    await bench.container.update(made, restored());
    expect(bench.config(501)["swap"]).toBe("512");
  });

  test("has what is configured, over what the backup says", async () => {
    const config = restored(
      {
        cpu: { cores: 1 },
        mounts: {
          rootfs: { size: "6G" },
          mp0: { storage: "ceph" },
          mp1: { storage: "ceph", size: "1G", path: "/srv" },
        },
        networks: { net0: { vlan: 30 } },
        pool: "lab",
        power: "running",
      },
      { storage: "local-lvm", unique: true },
    );
    await bench.container.create(config);
    expect(bench.config(501)).toMatchObject({
      hostname: "copy",
      cores: "1",
      memory: "1024",
      rootfs: "local-lvm:vm-501-disk-0,size=6G",
      mp0: "ceph:vm-501-disk-1,mp=/var/lib/data,backup=1,size=2G",
      mp1: "ceph:vm-501-disk-0,mp=/srv,size=1G",
    });
    expect(bench.config(501)["net0"]).toMatch(/hwaddr=BC:24:11:(?!00:04:01)[0-9A-F:]+,ip=dhcp,tag=30/);
    expect(bench.guest(501).run).toBeDefined();
  });

  test("is shown in the plan as the backup has it", async () => {
    const { at, warnings } = await planned(restored({ mounts: { rootfs: { size: "5G" } } }));
    expect(at("cpu", "cores")).toBe(2);
    expect(at("os_type")).toBe("debian");
    expect(at("unprivileged")).toBe(true);
    expect(at("mounts", "rootfs", "storage")).toBe("local-lvm");
    expect(at("mac_addresses", "net0")).toBe("BC:24:11:00:04:01");
    expect(at("inherited")).toEqual(["mp0", "net0"]);
    expect(warnings.map(({ summary }) => summary)).toEqual(["MAC addresses exist twice"]);
  });

  test("of a privileged one becomes unprivileged if that is configured", async () => {
    delete bench.guest(401).config["unprivileged"];
    const of = await bench.backUp(401);
    const { at } = await planned(restored({ restore: { archive: of } }));
    expect(at("unprivileged")).toBe(false);
    await bench.container.create(restored({ restore: { archive: of }, unprivileged: true }));
    expect(bench.config(501)["unprivileged"]).toBe("1");
  });

  test("gets an empty volume where the backup has no data, and the plan says so", async () => {
    bench.guest(401).config["mp0"] = "local-zfs:subvol-401-disk-0,mp=/var/lib/data,size=2G";
    const of = await bench.backUp(401);
    const { warnings } = await planned(restored({ restore: { archive: of } }));
    expect(warnings.map(({ detail }) => detail).join()).toContain("`mp0` had no `backup = true`");
    await bench.container.create(restored({ restore: { archive: of } }));
    expect(bench.config(501)["mp0"]).toBe("local-zfs:subvol-501-disk-0,mp=/var/lib/data,size=2G");
  });

  test("gets several where the backup has the data of none of them, and the plan names them", async () => {
    bench.guest(401).config["mp0"] = "local-zfs:subvol-401-disk-0,mp=/var/lib/data,size=2G";
    bench.guest(401).config["mp1"] = "local-zfs:subvol-401-disk-1,mp=/srv,size=2G";
    const { warnings } = await planned(restored({ restore: { archive: await bench.backUp(401) } }));
    expect(warnings.map(({ detail }) => detail).join()).toMatch(/`mp0`, `mp1` had no .* contain their data/);
  });

  test("with a directory of the host needs the user root@pam", async () => {
    bench.guest(401).config["mp1"] = "/srv/share,mp=/mnt/share";
    const of = await bench.backUp(401);
    await expect(bench.container.plan(null, restored({ restore: { archive: of } }))).rejects.toThrow(
      /Reserved for root@pam[\s\S]*`mp1` in the backup is `\/srv\/share` of the host/,
    );
    await bench.configure("root@pam");
    await bench.container.create(restored({ restore: { archive: of } }));
    expect(bench.config(501)["mp1"]).toBe("/srv/share,mp=/mnt/share");
    await bench.configure();
  });

  test("gets a directory of the host although the run was killed before it was mounted", async () => {
    bench.guest(401).config["mp1"] = "/srv/share,mp=/mnt/share";
    const config = restored({ restore: { archive: await bench.backUp(401) }, mounts: { mp1: { read_only: true } } });
    await bench.configure("root@pam");
    bench.simulator.faults.order({ do: "reset", call: "PUT /nodes/{node}/lxc/{vmid}/config", times: 20 });
    await expect(bench.container.create(config)).rejects.toThrow();
    expect(bench.config(501)["mp1"]).toBeUndefined();
    bench.simulator.faults.clear();
    await bench.restart("root@pam");
    const made = await bench.container.create(config);
    expect(bench.config(501)["mp1"]).toBe("/srv/share,mp=/mnt/share,ro=1");
    await bench.container.update(made, restored({ restore: config["restore"] ?? null }));
    expect(bench.config(501)["mp1"]).toBe("/srv/share,mp=/mnt/share");
    await bench.restart();
  });

  test("is protected in the end if the backup says so, and its volumes can be changed before", async () => {
    bench.guest(401).config["protection"] = "1";
    const of = await bench.backUp(401);
    await bench.container.create(restored({ restore: { archive: of }, mounts: { rootfs: { size: "8G" } } }));
    expect(bench.config(501)).toMatchObject({ protection: "1", rootfs: "local-lvm:vm-501-disk-0,size=8G" });
  });
});

describe("the plan refuses", () => {
  test.each<[string, () => Record<string, Input>, string | RegExp]>([
    [
      "a backup of a VM",
      () => ({ restore: { archive: archive.replace("lxc", "qemu") } }),
      /Backup of a VM[\s\S]*Restore it as `proxmox_vm`/,
    ],
    ["two sources", () => ({ clone: { template: "9000" } }), "there are `clone` and `restore`"],
    [
      "a backup that does not exist",
      () => ({ restore: { archive: archive.replace(/\d{4}_/, "2001_") } }),
      /No such backup[\s\S]*does not exist on pve1[\s\S]*vzdump-lxc-401-/,
    ],
    [
      "volumes on a storage that takes none",
      () => ({ restore: { archive, storage: "local" } }),
      /Storage does not take it[\s\S]*not for `rootdir`/,
    ],
    ["keys for a container that has its own", () => ({ ssh_keys: [key] }), "A restored container keeps the users"],
    ["a smaller volume", () => ({ mounts: { rootfs: { size: "1G" } } }), "Disks cannot shrink"],
  ])("%s", async (_, more, text) => {
    await expect(bench.container.plan(null, restored(more()))).rejects.toThrow(text);
    expect(bench.has(501)).toBe(false);
  });
});

const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f ops@example";
