import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Input, unknown } from "../../harness/index.ts";
import { attribute } from "../resource-bench.ts";
import { Bench } from "./suite.ts";

let bench: Bench;
const gibibyte = 1024 ** 3;

beforeAll(async () => {
  bench = await Bench.open({ env: { PROXMOX_LOG_LEVEL: "debug" } });
  const file = { node: undefined, ctime: 1_767_225_600, size: gibibyte };
  bench.simulator.sim.world.volumes.push(
    { ...file, volid: "nas:import/debian.qcow2", content: "import", format: "qcow2", virtualSize: 3 * gibibyte },
    { ...file, volid: "nas:import/other.qcow2", content: "import", format: "qcow2", virtualSize: 3 * gibibyte },
    { ...file, volid: "nas:iso/debian.iso", content: "iso", format: "iso" },
    { ...file, volid: "nas:iso/other.iso", content: "iso", format: "iso" },
  );
});

afterAll(() => bench.close());

describe("a VM", () => {
  test("is made from an imported image, which grows", async () => {
    const made = await bench.vm.create({
      name: "imported",
      vmid: 850,
      node: "pve1",
      disks: { scsi0: { storage: "local-lvm", import_from: "nas:import/debian.qcow2", size: "20G" } },
      power: "stopped",
    });
    expect(bench.config(850)["scsi0"]).toBe("local-lvm:vm-850-disk-0,size=20G");
    await bench.vm.destroy(made);
  });

  test("for Windows keeps the version of the machine that PVE pins", async () => {
    const machine = { type: "q35" };
    const config = { name: "windows", vmid: 869, node: "pve1", os_type: "win11", machine, power: "stopped" };
    const made = await bench.vm.create(config);
    expect(bench.config(869)["machine"]).toMatch(/^pc-q35-\d+\.\d+(\+pve\d+)?$/);
    const changed = await bench.vm.update(made, { ...config, machine: { ...machine, enable_s3: true } });
    expect(bench.config(869)["machine"]).toMatch(/^pc-q35-\d+\.\d+(\+pve\d+)?,enable-s3=1$/);
    const clone = { template: "windows", full: true };
    const copy = await bench.vm.create({ name: "copy", vmid: 871, clone, machine, power: "stopped" });
    expect(bench.config(871)["machine"]).toBe(bench.config(869)["machine"]);
    const older = { name: "copy", vmid: 871, clone, machine: { type: "pc-q35-9.2" }, power: "stopped" };
    const pinned = await bench.vm.update(copy, older);
    expect(bench.config(871)["machine"]).toBe("pc-q35-9.2,enable-s3=1");
    await bench.vm.destroy(pinned);
    await bench.vm.destroy(changed);
  });

  test("has a disk of 1K, whose size in gibibytes takes 20 digits", async () => {
    const config = { name: "tiny", vmid: 852, node: "pve1", power: "stopped" };
    const made = await bench.vm.create({ ...config, disks: { scsi0: { storage: "ceph", size: "1K" } } });
    expect(attribute(made, "disks", "scsi0", "size")).toBe("1K");
    await bench.vm.destroy(made);
  });

  test("has a UUID with and without other texts about its hardware", async () => {
    const config = { name: "named", vmid: 854, node: "pve1", power: "stopped" };
    const made = await bench.vm.create({ ...config, smbios: { family: "lab" } });
    const uuid = attribute(made, "smbios", "uuid");
    expect(bench.config(854)["smbios1"]).toBe(`uuid=${uuid},family=lab`);
    const bare = await bench.vm.update(made, config);
    expect(bench.config(854)["smbios1"]).toBe(`uuid=${uuid}`);
    await bench.vm.destroy(bare);
  });

  test("boots from its disk again when its boot order leaves with the card in it", async () => {
    const config = { name: "boots", vmid: 855, node: "pve1", disks: { scsi0: { storage: "ceph", size: "1G" } } };
    const made = await bench.vm.create({ ...config, networks: { net0: { bridge: "vmbr0" } }, boot_order: ["net0"] });
    expect(bench.config(855)["boot"]).toBe("order=net0");
    const bare = await bench.vm.update(made, { ...config, power: "stopped" });
    expect(bench.config(855)["boot"]).toBeUndefined();
    await bench.vm.destroy(bare);
  });

  test("gets an imported disk later, as large as the image", async () => {
    const common = { name: "imports-later", vmid: 851, node: "pve1", power: "stopped" };
    const made = await bench.vm.create(common);
    const updated = await bench.vm.update(made, {
      ...common,
      disks: { scsi0: { storage: "local-lvm", import_from: "nas:import/debian.qcow2" } },
    });
    expect(attribute(updated, "disks", "scsi0", "size")).toBe("3G");
    await bench.vm.destroy(updated);
  });

  test("gets a larger imported disk while it runs only if it can be attached at once", async () => {
    const common = { name: "imports-live", vmid: 853, node: "pve1", hotplug: ["network"] };
    const made = await bench.vm.create({ ...common, disks: { scsi0: { storage: "local-lvm", size: "1G" } } });
    const disks = { virtio1: { storage: "local-lvm", import_from: "nas:import/debian.qcow2", size: "5G" } };
    const refused = bench.vm.plan(made, { ...common, disks });
    await expect(refused).rejects.toThrow(/`virtio1`, which a restart will attach, cannot be moved or grown/);
    await bench.configure();
    const restarted = await bench.vm.update(made, { ...common, disks, restart_policy: "when_needed" });
    expect(bench.config(853)["virtio1"]).toMatch(/size=5G/);
    await bench.vm.destroy(restarted);
  });

  test("boots from an ISO image, which can be changed and ejected while it runs", async () => {
    const config = (file: string) => ({
      name: "installer",
      vmid: 852,
      node: "pve1",
      disks: { scsi0: { storage: "local-lvm", size: "8G" } },
      cdroms: { ide2: { file } },
      boot_order: ["ide2", "scsi0"],
    });
    const made = await bench.vm.create(config("nas:iso/debian.iso"));
    expect(bench.config(852)).toMatchObject({ boot: "order=ide2;scsi0" });
    expect(bench.config(852)["ide2"]).toMatch(/^nas:iso\/debian.iso,media=cdrom/);
    const changed = await bench.vm.update(made, config("nas:iso/other.iso"));
    expect(bench.guest(852).config["ide2"]).toMatch(/^nas:iso\/other.iso/);
    const ejected = await bench.vm.update(changed, config("none"));
    expect(bench.guest(852).config["ide2"]).toBe("none,media=cdrom");
    await bench.vm.destroy(ejected);
  });

  test("becomes a template in place, and can then be cloned", async () => {
    const config = (template: boolean | undefined) => ({
      name: "to-be-golden",
      vmid: 853,
      node: "pve1",
      disks: { scsi0: { storage: "local-lvm", size: "2G" } },
      power: "stopped",
      ...(template === undefined ? {} : { template }),
    });
    const made = await bench.vm.create(config(undefined));
    const golden = await bench.vm.update(made, config(true));
    expect(bench.config(853)["template"]).toBe("1");
    await expect(bench.vm.plan(golden, config(false))).rejects.toThrow("A template stays one");
    const child = await bench.vm.create({ name: "child", vmid: 854, clone: { template: "to-be-golden" } });
    expect(attribute(child, "disks", "scsi0", "size")).toBe("2G");
    await bench.vm.destroy(child);
    await bench.vm.destroy(golden);
  });

  test("is not made anew when its source changes, unless that is asked for", async () => {
    const config = (template: string, more = {}) => ({
      name: "rebased",
      vmid: 855,
      clone: { template },
      power: "stopped",
      ...more,
    });
    const made = await bench.vm.create(config("debian-13-cloud"));
    const plan = await bench.vm.plan(made, config("talos-1.11"));
    expect(plan.action).toBe("no-op");
    expect(plan.replacePaths).toEqual([]);
    const replaced = await bench.vm.plan(made, config("talos-1.11", { replace_on_source_change: true }));
    expect(replaced.action).toBe("replace");
    await bench.vm.destroy(made);
  });

  describe("with a disk from an image", () => {
    const config = (image: Input, more = {}) => ({
      name: "imaged",
      vmid: 868,
      node: "pve1",
      disks: { scsi0: { storage: "local-lvm", import_from: image, size: "4G" } },
      power: "stopped",
      ...more,
    });

    test("keeps the disk when another image is configured, and says so", async () => {
      const made = await bench.vm.create(config("nas:import/debian.qcow2"));
      await bench.configure();
      const other = config("nas:import/none.qcow2");
      const plan = await bench.vm.plan(await bench.vm.refresh(made), other);
      expect(plan.action).toBe("no-op");
      expect(plan.warnings).toMatchObject([
        {
          summary: "Source is not read again",
          detail: expect.stringMatching(
            /`scsi0` of VM 868 was made from `nas:import\/debian\.qcow2`, .*keeps its content.*replace_on_source_change.*-replace=ADDRESS/,
          ),
        },
      ]);
      const waiting = await bench.vm.plan(made, config(unknown));
      expect(waiting.action).toBe("no-op");
      await bench.vm.destroy(made);
    });

    test("is replaced for another image where that is asked for", async () => {
      const made = await bench.vm.create(config("nas:import/debian.qcow2"));
      const asked = { replace_on_source_change: true };
      expect((await bench.vm.plan(made, config("nas:import/debian.qcow2", asked))).action).toBe("update");
      const plan = await bench.vm.plan(made, config("nas:import/other.qcow2", asked));
      expect(plan).toMatchObject({ action: "replace", replacePaths: ["disks.scsi0.import_from"] });
      await bench.configure();
      expect((await bench.vm.plan(made, config(unknown, asked))).action).toBe("replace");
      await bench.configure();
      const replaced = await bench.vm.update(made, config("nas:import/other.qcow2", asked));
      expect(attribute(replaced, "disks", "scsi0", "import_from")).toBe("nas:import/other.qcow2");
      await bench.vm.destroy(replaced);
    });

    test("says that an image added to a disk that exists is not read", async () => {
      const made = await bench.vm.create(config(null));
      await bench.configure();
      const plan = await bench.vm.plan(made, config("nas:import/debian.qcow2"));
      expect(plan.warnings).toMatchObject([
        {
          summary: "Source is not read again",
          detail: expect.stringMatching(/`scsi0` of VM 868 exists, .*keeps its content/),
        },
      ]);
      await bench.vm.destroy(made);
    });
  });

  test("gets its password, which is never stored", async () => {
    const config = (password: string, version: number) => ({
      name: "secretive",
      vmid: 856,
      clone: { template: "debian-13-cloud" },
      cloud_init: { user: "ops", password, password_version: version },
      power: "stopped",
    });
    const made = await bench.vm.create(config("correct horse", 1));
    const first = bench.config(856)["cipassword"];
    expect(first).toMatch(/^\$/);
    const same = await bench.vm.update(made, config("battery staple", 1));
    expect(bench.config(856)["cipassword"]).toBe(first);
    const changed = await bench.vm.update(same, config("battery staple", 2));
    expect(bench.config(856)["cipassword"]).not.toBe(first);
    expect(JSON.stringify(changed.state)).not.toContain("battery");
    expect(bench.provider.stderr()).not.toMatch(/correct horse|battery staple/);
    await bench.vm.destroy(changed);
  });

  test("waits for its address where that is asked for, and never else", async () => {
    const made = await bench.vm.create({
      name: "addressed",
      vmid: 857,
      clone: { template: "ubuntu-24.04-cloud" },
      networks: { net0: { ipv4: { address: "dhcp" } } },
      agent: { enabled: true, wait: "2m" },
    });
    expect(attribute(made, "ipv4_address")).toMatch(/^\d+\.\d+\.\d+\.\d+$/);
    await bench.vm.destroy(made);
  });

  test("without an agent costs no waiting, only a warning when it is waited for all the same", async () => {
    const config = (power: string) => ({
      name: "mute",
      vmid: 858,
      clone: { template: "talos-1.11" },
      agent: { enabled: true, wait: "1s" },
      power,
    });
    const made = await bench.vm.create(config("stopped"));
    bench.guest(858).behaviour.agent = false;
    const started = await bench.vm.update(made, config("running"));
    expect(attribute(started, "ipv4_address")).toBeNull();
    await bench.vm.destroy(started);
  });

  test("enters a pool when it is made, changes it, and leaves it", async () => {
    const { access } = bench.simulator.sim.world;
    Object.assign(access.pools, {
      one: { comment: "", vms: [], storage: [] },
      two: { comment: "", vms: [], storage: [] },
    });
    await bench.restart();
    const config = (pool: string) => ({
      name: "pooled",
      vmid: 859,
      clone: { template: "debian-13-cloud" },
      pool,
      power: "stopped",
    });
    const made = await bench.vm.create(config("one"));
    const moved = await bench.vm.update(made, config("two"));
    expect(attribute(moved, "pool")).toBe("two");
    const left = await bench.vm.update(moved, config(""));
    expect(attribute(left, "pool")).toBe("");
    await bench.vm.destroy(left);
  });

  test("has a volume attached that was there before", async () => {
    const common = { name: "attaches", vmid: 860, clone: { template: "ubuntu-24.04-cloud" }, power: "stopped" };
    const two = { disks: { scsi0: {}, scsi1: { storage: "local-lvm", size: "4G" } } };
    const made = await bench.vm.create({ ...common, ...two });
    const detached = await bench.vm.update(made, { ...common, disks: { scsi0: {} } });
    const volume = Object.values(attribute(detached, "unused_disks") as Record<string, string>)[0] ?? "";
    const attached = await bench.vm.update(detached, { ...common, disks: { scsi0: {}, scsi7: { volume } } });
    expect(bench.config(860)["scsi7"]).toBe(`${volume},size=4G`);
    expect(attribute(attached, "unused_disks")).toEqual({});
    await bench.vm.destroy(attached);
  });
});
