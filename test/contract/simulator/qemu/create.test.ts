import { describe, expect, test } from "vitest";
import { vmLab } from "./vm-lab.ts";

const lab = vmLab();
const { ask, run, create, config, lastLog } = lab;

const verification = "400 Parameter verification failed.";

/** The options a VM gets without asking. */
const own = {
  meta: expect.stringMatching(/^creation-qemu=\d+\.\d+\.\d+,ctime=\d{10}$/),
  smbios1: expect.stringMatching(/^uuid=[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
  vmgenid: expect.stringMatching(/^[0-9a-f-]{36}$/),
};

describe("a new VM", () => {
  test("has what was asked for, and little more", async () => {
    expect(await create(300, { name: "x", memory: 2048, net0: "virtio,bridge=vmbr0" })).toBe("OK");
    expect(await config(300)).toEqual({
      ...own,
      name: "x",
      memory: "2048",
      net0: expect.stringMatching(/^virtio=BC:24:11(:[0-9A-F]{2}){3},bridge=vmbr0$/),
      boot: "order=net0",
    });
  });

  test("without devices boots from nothing", async () => {
    await create(300);
    expect(await config(300)).toEqual({ ...own, boot: " " });
  });

  test("keeps the identity it is given", async () => {
    const smbios1 = "uuid=6a3e2d59-11b7-4f3c-9f6b-0e8d0c7f2b11,sku=x";
    await create(300, { smbios1, net0: "e1000=00:11:22:aa:bb:cc" });
    expect(await config(300)).toMatchObject({ smbios1, net0: "e1000=00:11:22:aa:bb:cc" });
  });

  test.each([
    ["thin:4", "thin:vm-300-disk-0,size=4G"],
    ["thin:0.5,discard=on,ssd=1", "thin:vm-300-disk-0,discard=on,size=512M,ssd=1"],
    ["local:4", "local:300/vm-300-disk-0.raw,size=4G"],
    ["local:4,format=qcow2", "local:300/vm-300-disk-0.qcow2,size=4G"],
    ["share:4,format=vmdk", "share:300/vm-300-disk-0.vmdk,size=4G"],
    ["tank:4,iothread=1", "tank:vm-300-disk-0,iothread=1,size=4G"],
    ["ceph:4", "ceph:vm-300-disk-0,size=4G"],
    ["none,media=cdrom", "none,media=cdrom"],
    ["thin:cloudinit", "thin:vm-300-cloudinit,media=cdrom"],
    ["local:cloudinit", "local:300/vm-300-cloudinit.qcow2,media=cdrom"],
  ])("with %s has %s", async (wanted, stored) => {
    expect(await create(300, { scsi0: wanted })).toBe("OK");
    expect((await config(300))["scsi0"]).toBe(stored);
  });

  test("numbers its disks in the order of the slots", async () => {
    await create(300, { virtio0: "thin:1", scsi1: "thin:1", scsi0: "thin:1", ide0: "thin:1" });
    const { ide0, scsi0, scsi1, virtio0, boot } = await config(300);
    expect([ide0, scsi0, scsi1, virtio0, boot]).toEqual([
      "thin:vm-300-disk-0,size=1G",
      "thin:vm-300-disk-1,size=1G",
      "thin:vm-300-disk-2,size=1G",
      "thin:vm-300-disk-3,size=1G",
      "order=ide0",
    ]);
    expect(lastLog()).toEqual([
      "ide0: successfully created disk 'thin:vm-300-disk-0,size=1G'",
      "scsi0: successfully created disk 'thin:vm-300-disk-1,size=1G'",
      "scsi1: successfully created disk 'thin:vm-300-disk-2,size=1G'",
      "virtio0: successfully created disk 'thin:vm-300-disk-3,size=1G'",
    ]);
  });

  test("has room for firmware variables and TPM state, however much is asked for", async () => {
    await create(300, {
      bios: "ovmf",
      efidisk0: "thin:1,efitype=4m,pre-enrolled-keys=1",
      tpmstate0: "thin:9,version=v2.0",
    });
    const { efidisk0, tpmstate0 } = await config(300);
    expect({ efidisk0, tpmstate0 }).toEqual({
      efidisk0: "thin:vm-300-disk-0,efitype=4m,ms-cert=2023k,pre-enrolled-keys=1,size=4M",
      tpmstate0: "thin:vm-300-disk-1,size=4M,version=v2.0",
    });
  });

  test("takes a volume that is there already", async () => {
    await ask("POST /nodes/pve1/storage/thin/content", { filename: "vm-300-disk-7", vmid: 300, size: "3G" });
    expect(await create(300, { scsi0: "thin:vm-300-disk-7,size=1G" })).toBe("OK");
    expect((await config(300))["scsi0"]).toBe("thin:vm-300-disk-7,size=3G");
  });

  test("pins the machine of a Windows guest", async () => {
    await create(300, { ostype: "win11", machine: "q35" });
    expect((await config(300))["machine"]).toMatch(/^pc-q35-\d+\.\d+/);
  });

  test.each([
    [{ tags: "Web;prod,web" }, "tags", "prod;web"],
    [{ description: "two\nlines\n\n" }, "description", "two\nlines"],
    [{ cpuunits: 200000 }, "cpuunits", 10000],
    [{ cdrom: "none" }, "ide2", "none,media=cdrom"],
    [{ cipassword: "secret" }, "cipassword", "**********"],
  ])("changes %j a little: %s is %j", async (options, key, stored) => {
    await create(300, options as Record<string, string | number>);
    expect((await config(300))[key]).toBe(stored);
  });

  test("goes into its pool, and is started if wanted", async () => {
    await ask("POST /pools", { poolid: "blue" });
    expect(await create(300, { pool: "blue", start: 1 })).toBe("OK");
    // The start is a task of its own, which may end after the one that creates.
    await expect.poll(() => ask("GET /nodes/pve1/qemu/300/status/current")).toMatchObject({ status: "running" });
    expect(await ask("GET /pools/blue")).toMatchObject({ members: [expect.objectContaining({ vmid: 300 })] });
  });

  test("that cannot be started was created all the same", async () => {
    expect(await create(300, { start: 1, cores: 128 })).toBe("OK");
    await expect
      .poll(() => ask("GET /nodes/pve1/tasks", { vmid: 300, typefilter: "qmstart" }))
      .toMatchObject([{ status: "MAX 16 vcpus allowed per VM on this node" }]);
  });
});

describe("an image that is imported", () => {
  test("comes from another VM's disk, and keeps its size", async () => {
    expect(await create(300, { scsi0: "tank:0,import-from=thin:vm-200-disk-0,discard=on" })).toBe("OK");
    expect((await config(300))["scsi0"]).toBe("tank:vm-300-disk-0,discard=on,size=10G");
  });

  test.each([
    [
      "thin:4,import-from=thin:vm-200-disk-0",
      "'import-from' requires special syntax - use <storage ID>:0,import-from=<source>",
    ],
    ["thin:0,import-from=thin:vm-200-disk-9", "thin:vm-200-disk-9"],
    ["thin:0,import-from=local:iso/a.iso", "local:iso/a.iso"],
  ])("is not %s", async (drive, complaint) => {
    expect(await create(300, { scsi0: drive })).toContain(complaint);
    expect(await ask("GET /nodes/pve1/qemu/300/config")).toBe(
      "500 Configuration file 'nodes/pve1/qemu-server/300.conf' does not exist",
    );
  });
});

describe("a VM is not created", () => {
  test.each<[string, Record<string, string | number>, string]>([
    [
      "with an id below 100",
      { vmid: 99 },
      `${verification} | vmid: invalid format - value does not look like a valid VM ID`,
    ],
    ["with an id that is taken", { vmid: 200 }, "500 unable to create VM 200 - VM 200 already exists on node 'pve1'"],
    [
      "with an id that is taken elsewhere",
      { vmid: 201 },
      "500 unable to create VM 201 - VM 201 already exists on node 'pve2'",
    ],
    [
      "with an unknown option",
      { vmid: 300, coffee: 1 },
      `${verification} | coffee: property is not defined in schema and the schema does not allow additional properties`,
    ],
    [
      "without memory",
      { vmid: 300, memory: "none" },
      `${verification} | memory: invalid format - format error\nmemory.current: type check ('integer') failed - got 'none'`,
    ],
    ["with too few cores", { vmid: 300, cores: 0 }, `${verification} | cores: value must have a minimum value of 1`],
    [
      "in a pool that is not there",
      { vmid: 300, pool: "none" },
      "403 Permission check failed (pool 'none' does not exist)",
    ],
    ["on a storage that is not there", { vmid: 300, scsi0: "nope:4" }, "500 storage 'nope' does not exist"],
    [
      "with a disk of nothing",
      { vmid: 300, scsi0: "thin:" },
      `${verification} | scsi0: invalid format - format error\nscsi0.file: invalid format - unable to parse volume ID 'thin:'`,
    ],
    [
      "with a bootable nothing",
      { vmid: 300, boot: "order=scsi0;coffee" },
      `${verification} | boot: invalid format - format error\nboot.order: invalid format - invalid boot device 'coffee'`,
    ],
    ["with keys that are none", { vmid: 300, sshkeys: "hello" }, "500 SSH public key validation error"],
  ])("%s", async (_, options, expected) => {
    expect(await run("POST /nodes/pve1/qemu", options)).toBe(expected);
  });

  test("on a node that is not there", async () => {
    expect(await ask("POST /nodes/pve7/qemu", { vmid: 300 })).toMatch(/^(?:500|595) /);
  });

  test.each([
    ["a volume that is not there", { scsi0: "thin:vm-300-disk-4" }, /^unable to create VM 300 - .*vm-300-disk-4/],
    [
      "a format its storage does not have",
      { scsi0: "thin:4,format=qcow2" },
      /^unable to create VM 300 - unsupported format 'qcow2'/,
    ],
  ])("with %s, and nothing of it remains", async (_, options, expected) => {
    expect(await create(300, { ...options, virtio0: "thin:1" } as never)).toMatch(expected);
    expect(await ask("GET /nodes/pve1/storage/thin/content", { vmid: 300 })).toEqual([]);
    expect(await ask("GET /nodes/pve1/qemu/300/status/current")).toBe(
      "500 Configuration file 'nodes/pve1/qemu-server/300.conf' does not exist",
    );
  });
});
