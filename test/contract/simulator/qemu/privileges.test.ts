import { describe, expect, test } from "vitest";
import { vmLab, vmSeed } from "./vm-lab.ts";

const role = (ugid: string, path: string, roleid: string) => ({ path, type: "user", ugid, roleid, propagate: 1 });

/** Users with few privileges on VM 200, named like their role. */
const roles = {
  options: ["VM.Config.Options"],
  disks: ["VM.Config.Disk"],
  nets: ["VM.Config.Network"],
  cpus: ["VM.Config.CPU", "VM.Config.Memory"],
  types: ["VM.Config.HWType"],
  clouds: ["VM.Config.Cloudinit"],
  cds: ["VM.Config.CDROM"],
};
const people = Object.keys(roles);

const lab = vmLab({
  ...vmSeed,
  roles,
  users: [...vmSeed.users, ...people.map((name) => ({ userid: `${name}@pve` }))],
  tokens: [
    ...vmSeed.tokens,
    ...people.map((name, index) => ({
      tokenid: `${name}@pve!tk`,
      secret: `00000000-0000-4000-8000-00000000010${index}`,
      privsep: 0,
    })),
  ],
  acl: [...vmSeed.acl, ...people.map((name) => role(`${name}@pve`, "/vms/200", name))],
});
const { ask, create, set, run } = lab;

type Form = Record<string, string | number>;

const owner = "owner@pve!tk";
const onVm = (privilege: string) => `403 Permission check failed (/vms/200, ${privilege})`;

describe("an option is the business of those who have its privilege", () => {
  test.each<[string, Form]>([
    ["options", { name: "x", onboot: 1, tags: "a", description: "y" }],
    ["cpus", { cores: 2, memory: 512, cpu: "host", balloon: 0 }],
    ["types", { scsihw: "virtio-scsi-pci", vga: "std", machine: "q35", serial0: "socket" }],
    ["clouds", { ciuser: "x", ipconfig0: "ip=dhcp", cipassword: "y" }],
    ["cds", { ide2: "none,media=cdrom" }],
    ["nets", { net0: "virtio" }],
    ["disks", { scsi0: "thin:vm-200-disk-0,ssd=1" }],
  ])("%s: %j", async (name, options) => {
    expect(await set(200, options, `${name}@pve!tk`)).toBeNull();
  });

  test.each<[string, Form, string]>([
    ["options", { cores: 2 }, "VM.Config.CPU"],
    ["options", { memory: 512 }, "VM.Config.Memory"],
    ["options", { vga: "std" }, "VM.Config.HWType"],
    ["options", { net0: "virtio" }, "VM.Config.Network"],
    ["options", { ciuser: "x" }, "VM.Config.Cloudinit|VM.Config.Network"],
    ["options", { delete: "scsi0" }, "VM.Config.Disk"],
    ["cpus", { name: "x" }, "VM.Config.Options"],
    ["cpus", { ide2: "none,media=cdrom" }, "VM.Config.CDROM"],
    ["disks", { tags: "x" }, "VM.Config.Options"],
  ])("not of %s: %j", async (name, options, privilege) => {
    expect(await set(200, options, `${name}@pve!tk`)).toBe(onVm(privilege));
  });

  test("who has none of them may not even try", async () => {
    expect(await set(200, { cores: 2 }, "nobody@pve!tk")).toMatch(
      /^403 Permission check failed \(\/vms\/200, VM\.Config\.Disk\|/,
    );
    expect(await ask("GET /nodes/pve1/qemu/200/config", {}, "nobody@pve!tk")).toBe(onVm("VM.Audit"));
  });
});

describe("what only root may do is not for root's tokens", () => {
  test.each<[Form, string]>([
    [{ args: "-S" }, "500 only root can set 'args' config"],
    [{ lock: "backup" }, "500 only root can set 'lock' config"],
    [{ skiplock: 1, cores: 2 }, "400 Parameter verification failed. | skiplock: Only root may use this option."],
    [{ serial0: "/dev/ttyS0" }, "500 only root can modify 'serial0' config for real devices"],
    [{ hostpci0: "0000:01:00.0" }, "500 only root can set 'hostpci0' config for non-mapped devices"],
    [{ usb0: "host=1234:5678" }, "500 only root can set 'usb0' config for real devices"],
    [
      { scsi1: "/dev/sda" },
      "500 Only root can pass arbitrary filesystem paths. at /usr/share/perl5/PVE/Storage.pm line 651.",
    ],
  ])("%j", async (options, expected) => {
    expect(await set(200, options)).toBe(expected);
  });

  test("but mapped devices need a privilege only", async () => {
    expect(await set(200, { usb0: "spice" }, owner)).toBeNull();
    expect(await set(200, { hostpci0: "mapping=gpu" }, owner)).toBe(
      "403 Permission check failed (/mapping/pci/gpu, Mapping.Use)",
    );
  });
});

describe("what lies outside of the VM has privileges of its own", () => {
  test.each<[Form, string]>([
    [{ net0: "virtio,bridge=vmbr0" }, "403 Permission check failed (/sdn/zones/localnetwork/vmbr0, SDN.Use)"],
    [{ net0: "virtio,bridge=vmbr0,tag=5" }, "403 Permission check failed (/sdn/zones/localnetwork/vmbr0/5, SDN.Use)"],
    [{ scsi1: "tank:1" }, "403 Permission check failed (/storage/tank, Datastore.AllocateSpace)"],
  ])("%j", async (options, expected) => {
    expect(await set(200, options, owner)).toBe(expected);
  });

  test("a new disk where space may be allocated", async () => {
    expect(await set(200, { scsi1: "thin:1" }, owner)).toBeNull();
  });

  test("a volume of another guest cannot be taken", async () => {
    expect(await set(200, { scsi1: "thin:base-900-disk-0" }, owner)).toBe(
      "403 Permission check failed (/vms/900, VM.Config.Disk)",
    );
  });
});

describe("making and removing VMs", () => {
  test("is for those who may allocate them", async () => {
    expect(await create(300, {}, owner)).toBe("403 Permission check failed");
    expect(await run("DELETE /nodes/pve1/qemu/200", {}, "options@pve!tk")).toBe(onVm("VM.Allocate"));
    expect(await run("DELETE /nodes/pve1/qemu/200", {}, owner)).toBe("OK");
  });

  test("in a pool is for those who may allocate there", async () => {
    await ask("POST /pools", { poolid: "blue" });
    await ask("PUT /access/acl", { path: "/pool/blue", roles: "PVEVMAdmin", users: "nobody@pve" });
    expect(await create(300, { pool: "blue", cores: 2, name: "x" }, "nobody@pve!tk")).toBe("OK");
    expect(await create(301, { cores: 2 }, "nobody@pve!tk")).toBe("403 Permission check failed");
  });

  test("by a clone needs the right to clone, and space", async () => {
    const clone = (token: string, options: Form) =>
      run("POST /nodes/pve1/qemu/200/clone", { newid: 300, ...options }, token);
    expect(await clone("options@pve!tk", {})).toBe(onVm("VM.Clone"));
    await ask("PUT /access/acl", { path: "/vms/300", roles: "PVEVMAdmin", users: "owner@pve" });
    expect(await clone(owner, { storage: "tank" })).toBe(
      "403 Permission check failed (/storage/tank, Datastore.AllocateSpace)",
    );
    expect(await clone(owner, {})).toBe("OK");
  });

  test("takes rights and pool with it", async () => {
    await ask("POST /pools", { poolid: "blue" });
    await ask("PUT /pools/blue", { vms: "200" });
    expect(await run("DELETE /nodes/pve1/qemu/200")).toBe("OK");
    expect(await ask("GET /pools/blue")).toMatchObject({ members: [] });
    const acl = (await ask("GET /access/acl")) as { path: string }[];
    expect(acl.filter(({ path }) => path === "/vms/200")).toEqual([]);
  });
});

describe("QEMU's monitor", () => {
  const command = (text: string, token?: string) => ask("POST /nodes/pve1/qemu/200/monitor", { command: text }, token);

  test.each([
    ["info status", undefined, "ERROR: VM 200 not running\n"],
    ["info status", "auditor@pve!tk", "ERROR: VM 200 not running\n"],
    ["quit", "auditor@pve!tk", "403 Permission check failed (/, Sys.Modify)"],
    ["device_add x", undefined, "500 root-only command 'device_add'"],
    [
      "coffee",
      undefined,
      "500 command 'coffee' non-existent or not assigned a required permission yet, limiting to root user",
    ],
    ["info status", owner, "403 Permission check failed (/vms/200, Sys.Audit|Sys.Modify)"],
  ])("obeys %s of %s like this: %s", async (text, token, expected) => {
    expect(await command(text, token)).toBe(expected);
  });

  test("takes keys for a VM that runs", async () => {
    const press = () => ask("PUT /nodes/pve1/qemu/200/sendkey", { key: "ret" });
    expect(await press()).toBe("500 VM 200 not running");
    await run("POST /nodes/pve1/qemu/200/status/start");
    expect(await press()).toBeNull();
  });
});
