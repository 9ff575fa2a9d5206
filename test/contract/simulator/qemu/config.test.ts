import { describe, expect, test } from "vitest";
import { vmLab } from "./vm-lab.ts";

const lab = vmLab();
const { ask, run, config, set, waiting } = lab;

const verification = "400 Parameter verification failed.";
const gone = "500 Configuration file 'nodes/pve1/qemu-server/299.conf' does not exist";

describe("reading a configuration", () => {
  test("shows values in their types, and a digest", async () => {
    expect(await ask("GET /nodes/pve1/qemu/200/config")).toEqual({
      name: "web",
      memory: "1024",
      cores: 2,
      scsi0: "thin:vm-200-disk-0,size=10G",
      boot: "order=scsi0",
      digest: expect.stringMatching(/^[0-9a-f]{40}$/),
    });
  });

  test.each([
    ["of a VM that is not there", "/nodes/pve1/qemu/299/config", {}, gone],
    ["of a VM on another node", "/nodes/pve1/qemu/201/config", {}, gone.replaceAll("299", "201")],
    ["of no snapshot", "/nodes/pve1/qemu/200/config", { snapshot: "none" }, "500 snapshot 'none' does not exist"],
    [
      "of now and then at once",
      "/nodes/pve1/qemu/200/config",
      { snapshot: "none", current: 1 },
      `${verification} | ${["snapshot", "current"].map((name) => `${name}: cannot use 'snapshot' parameter with 'current'`).join(" | ")}`,
    ],
  ])("%s is refused", async (_, path, query, expected) => {
    expect(await ask(`GET ${path}`, query)).toBe(expected);
  });
});

describe("changing a stopped VM", () => {
  test("sets and deletes options at once", async () => {
    expect(await set(200, { memory: 4096, onboot: 1, delete: "cores,name" })).toBeNull();
    expect(await config(200)).toEqual({
      memory: "4096",
      onboot: 1,
      scsi0: "thin:vm-200-disk-0,size=10G",
      boot: "order=scsi0",
    });
    expect(await waiting(200)).toEqual([]);
  });

  test.each<[string, Record<string, string | number>, string]>([
    ["nothing", {}, "500 no options specified"],
    ["an unknown option", { delete: "coffee" }, `${verification} | delete: unknown option 'coffee'`],
    [
      "an option both ways",
      { cores: 3, delete: "cores" },
      `${verification} | delete: you can't use '-cores' and -delete cores' at the same time`,
    ],
    [
      "an option by two lists",
      { revert: "cores", delete: "cores" },
      `${verification} | revert: you can't use '-delete cores' and -revert cores' at the same time`,
    ],
    ["a boot device that is none", { boot: "order=scsi7" }, "500 invalid bootorder: device 'scsi7' does not exist'"],
    ["a digest of old", { cores: 3, digest: "0".repeat(40) }, "500 checksum mismatch (file change by other user?)"],
  ])("refuses %s", async (_, options, expected) => {
    expect(await set(200, options)).toBe(expected);
  });

  test("with the right digest is done, and the digest changes", async () => {
    const before = (await ask("GET /nodes/pve1/qemu/200/config")) as { digest: string };
    expect(await set(200, { cores: 3, digest: before.digest })).toBeNull();
    expect(await ask("GET /nodes/pve1/qemu/200/config")).not.toMatchObject({ digest: before.digest });
  });

  test("deletes what is not there without a word", async () => {
    expect(await set(200, { delete: "vga" })).toBeNull();
  });

  test.each([
    ["tags", "Blue;red;blue", "blue;red"],
    ["tags", "", " "],
    ["description", "text\n", "text"],
    ["description", "", undefined],
    ["net0", "virtio=00:11:22:aa:bb:cc,firewall=1,bridge=vmbr0", "virtio=00:11:22:aa:bb:cc,bridge=vmbr0,firewall=1"],
    ["scsi0", "thin:vm-200-disk-0,ssd=1,size=99G", "thin:vm-200-disk-0,size=10G,ssd=1"],
    ["cpuunits", "99999", 10000],
  ])("stores %s=%j as %j", async (key, given, stored) => {
    expect(await set(200, { [key]: given })).toBeNull();
    expect((await config(200))[key]).toEqual(stored);
  });

  test.each([
    [{ scsi1: "/var/lib/vz/images/200/vm-200-x.raw" }, "scsi1", "local:200/vm-200-x.raw,size=1G"],
    [{ ide2: "/var/lib/vz/template/iso/a.iso" }, "ide2", "500 volume 'local:iso/a.iso' does not exist"],
    [
      { ide2: "/var/lib/vz/template/iso/a.iso,media=disk" },
      "ide2",
      `${verification} | ide2: unexpected media type (iso != images)`,
    ],
    [{ scsi1: "/srv/x.raw" }, "scsi1", `${verification} | scsi1: unable to associate path '/srv/x.raw' to any storage`],
  ])("looks which volume a path is: %j", async (options, key, expected) => {
    await ask("POST /nodes/pve1/storage/local/content", { filename: "vm-200-x.raw", vmid: 200, size: "1G" });
    expect((await set(200, options as Record<string, string>)) ?? (await config(200))[key]).toBe(expected);
  });

  test("gives a network device without an address a new one each time", async () => {
    const addresses = new Set<unknown>();
    for (const _ of [1, 2]) {
      await set(200, { net0: "virtio,bridge=vmbr0" });
      addresses.add((await config(200))["net0"]);
    }
    expect(addresses.size).toBe(2);
  });

  test("is refused while something else has the VM", async () => {
    lab.lock(200, "backup");
    expect(await set(200, { cores: 3 })).toBe("500 VM is locked (backup)");
  });
});

describe("disks of a stopped VM", () => {
  const disk = "thin:vm-200-disk-0";

  test("that are taken off are kept, and the boot order forgets them", async () => {
    expect(await set(200, { delete: "scsi0" })).toBeNull();
    expect(await config(200)).toEqual({ name: "web", memory: "1024", cores: 2, boot: " ", unused0: disk });
  });

  test("that are taken off by force are gone", async () => {
    expect(await set(200, { delete: "scsi0", force: 1 })).toBeNull();
    expect(await config(200)).not.toHaveProperty("unused0");
    expect(await ask("GET /nodes/pve1/storage/thin/content", { vmid: 200 })).toEqual([]);
  });

  test("can be attached again, elsewhere", async () => {
    await set(200, { delete: "scsi0" });
    expect(await set(200, { virtio0: disk, boot: "order=virtio0" })).toBeNull();
    expect(await config(200)).toEqual({
      name: "web",
      memory: "1024",
      cores: 2,
      virtio0: `${disk},size=10G`,
      boot: "order=virtio0",
    });
  });

  test("are new where a size is given, and what they replace is kept", async () => {
    expect(await set(200, { scsi0: "tank:3", scsi1: "thin:1" })).toBeNull();
    expect(await config(200)).toMatchObject({
      scsi0: "tank:vm-200-disk-0,size=3G",
      scsi1: "thin:vm-200-disk-1,size=1G",
      unused0: disk,
    });
  });

  test("that are unused are destroyed with their entry", async () => {
    await set(200, { delete: "scsi0" });
    expect(await set(200, { delete: "unused0" })).toBeNull();
    expect(await ask("GET /nodes/pve1/storage/thin/content", { vmid: 200 })).toEqual([]);
  });

  test("are unlinked by a call of their own", async () => {
    expect(await ask("PUT /nodes/pve1/qemu/200/unlink", { idlist: "scsi0", force: 1 })).toBeNull();
    expect(await config(200)).not.toHaveProperty("scsi0");
  });

  test("of a protected VM stay", async () => {
    await set(200, { protection: 1 });
    expect(await set(200, { delete: "scsi0" })).toBe("500 can't remove drive 'scsi0' - protection mode enabled");
    expect(await config(200)).toHaveProperty("scsi0");
  });

  test("that a snapshot needs stay", async () => {
    expect(await run("POST /nodes/pve1/qemu/200/snapshot", { snapname: "before" })).toBe("OK");
    await set(200, { delete: "scsi0" });
    expect(await set(200, { delete: "unused0" })).toBe(
      `500 unable to delete '${disk}' - volume is still in use (snapshot?)`,
    );
  });
});

describe("changing in the background", () => {
  const change = (options: Record<string, string | number>) => ask("POST /nodes/pve1/qemu/200/config", options);

  test("is a task", async () => {
    expect(await change({ cores: 3 })).toMatch(/^UPID:pve1:.*:qmconfig:200:root@pam!admin:$/);
    expect(await run("POST /nodes/pve1/qemu/200/config", { cores: 4 })).toBe("OK");
    expect(await config(200)).toMatchObject({ cores: 4 });
  });

  test("with time to wait answers when it is done", async () => {
    expect(await change({ cores: 3, background_delay: 5 })).toBeNull();
    expect(await config(200)).toMatchObject({ cores: 3 });
    expect(await change({ scsi1: "thin:vm-200-disk-9", background_delay: 5 })).toMatch(
      /^500 failed to update VM 200: /,
    );
  });
});
