import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { attribute, writable } from "../resource-bench.ts";
import { Bench, sshKey } from "./suite.ts";

const keys = [sshKey, sshKey.replace("ops@", "dev@")];

let bench: Bench;

beforeAll(async () => {
  bench = await Bench.open();
});

afterAll(() => bench.close());

/** One of everything a configuration can hold, in the spellings PVE itself uses. */
const everything: Record<string, string> = {
  acpi: "1",
  agent: "enabled=1,fstrim_cloned_disks=1,freeze-fs=0,type=virtio",
  "allow-ksm": "0",
  "amd-sev": "type=snp,allow-smt=1,kernel-hashes=1,no-debug=1",
  args: "-device virtio-rng",
  audio0: "device=intel-hda,driver=spice",
  balloon: "1024",
  bios: "ovmf",
  boot: "order=scsi0;net0",
  cicustom: "user=local:snippets/u.yml,meta=local:snippets/m.yml",
  ciupgrade: "0",
  ciuser: "ops",
  citype: "nocloud",
  cores: "4",
  cpu: "host,flags=+aes;-pcid,hidden=1,phys-bits=host",
  cpulimit: "2.5",
  cpuunits: "200",
  description: "line one\nline two: with % and ä",
  efidisk0: "local-lvm:vm-700-disk-3,efitype=4m,ms-cert=2023k,pre-enrolled-keys=1,size=4M",
  freeze: "0",
  hostpci0: "0000:01:00.0;0000:01:00.1,pcie=1,x-vga=1",
  hostpci1: "mapping=gpu,mdev=nvidia-35",
  hotplug: "disk,network,usb,memory,cpu",
  hugepages: "1024",
  ide2: "local-lvm:vm-700-cloudinit,media=cdrom,size=4M",
  ide3: "none,media=cdrom",
  ipconfig0: "ip=10.0.0.5/24,gw=10.0.0.1,ip6=auto",
  ivshmem: "size=32,name=shared",
  keyboard: "de",
  kvm: "1",
  localtime: "1",
  machine: "pc-q35-9.2+pve1,viommu=intel",
  memory: "4096",
  migrate_downtime: "0.1",
  migrate_speed: "100",
  name: "everything",
  nameserver: "192.0.2.53 192.0.2.54",
  net0: "virtio=BC:24:11:AA:BB:CC,bridge=vmbr0,firewall=1,mtu=1,queues=4,rate=12.5,tag=20,trunks=10;20-30",
  net4: "e1000=BC:24:11:AA:BB:CD,bridge=vmbr1,link_down=1",
  numa: "1",
  numa0: "cpus=0-1,hostnodes=0,memory=2048,policy=bind",
  onboot: "1",
  ostype: "l26",
  parallel0: "/dev/parport0",
  protection: "0",
  reboot: "1",
  rng0: "source=/dev/urandom,max_bytes=1024,period=1000",
  sata1: "nas:700/vm-700-disk-1.qcow2,cache=writeback,size=5G,wwn=0x5000c500a1b2c3d4",
  scsi0:
    "local-lvm:vm-700-disk-0,aio=io_uring,backup=0,discard=on,iops_rd=100,iothread=1,mbps_wr=10.5,replicate=0,serial=a%20b,size=32G,ssd=1",
  scsihw: "virtio-scsi-single",
  searchdomain: "example.com",
  serial0: "socket",
  serial1: "/dev/ttyS0",
  shares: "2000",
  smbios1: `uuid=11111111-2222-4333-8444-555555555555,manufacturer=${btoa("Some Maker")},base64=1`,
  sockets: "2",
  spice_enhancements: "foldersharing=1,videostreaming=all",
  sshkeys: encodeURIComponent(keys.join("\n")),
  startdate: "now",
  startup: "order=3,up=30,down=60",
  tablet: "0",
  tags: "a;b;c",
  tdf: "1",
  tpmstate0: "local-lvm:vm-700-disk-4,size=4M,version=v2.0",
  unused3: "local-lvm:vm-700-disk-9",
  usb0: "host=046d:c52b,usb3=1",
  usb1: "mapping=dongle",
  vcpus: "2",
  vga: "virtio,memory=64,clipboard=vnc",
  virtio3: "ceph:vm-700-disk-0,ro=1,size=528K",
  virtiofs0: "share,cache=auto,direct-io=1,expose-acl=1",
  vmgenid: "33333333-2222-4333-8444-555555555555",
  vmstatestorage: "local-lvm",
  watchdog: "i6300esb,action=reset",
};

function put(vmid: number, config: Record<string, string>): void {
  const { world } = bench.simulator.sim;
  world.guests[vmid] = { ...structuredClone(bench.guest(9000)), vmid, config: { ...config } };
}

describe("an import", () => {
  beforeAll(async () => {
    put(700, everything);
    put(701, { name: "small", memory: "512" });
    put(702, {
      name: "legacy",
      boot: "cdn",
      bootdisk: "scsi0",
      memory: "1024",
      cpu: "cputype=kvm64",
      net0: "virtio,bridge=vmbr0",
    });
    put(703, {
      name: "blank",
      boot: " ",
      tags: " ",
      smbios1: "uuid=11111111-2222-4333-8444-555555555556,serial=plain",
    });
    put(704, { name: "new-words", net0: "virtio=BC:24:11:AA:BB:CE,bridge=vmbr0,host-tunnel=1" });
    // A provider sees what was there when it was started.
    await bench.restart();
  });

  test.each([
    ["by VMID", "700", 700],
    ["by node and VMID", "pve1/700", 700],
    ["by name", "everything", 700],
  ])("finds a VM %s", async (_, id, vmid) => {
    expect(attribute(await bench.vm.import({ id }), "vmid")).toBe(vmid);
  });

  test("finds a VM by its identity", async () => {
    expect(attribute(await bench.vm.import({ identity: { vmid: 701 } }), "name")).toBe("small");
  });

  test.each([
    ["a VM that is not there", "9999", /no VM 9999/],
    ["a VM on another node", "pve2/700", /is on pve1, not on pve2/],
    ["a name nobody has", "nobody", /no VM named "nobody"/],
  ])("refuses %s", async (_, id, message) => {
    await expect(bench.vm.import({ id })).rejects.toThrow(message);
  });

  test.each([700, 701, 702, 703, 704])(
    "of VM %i is followed by an empty plan, and leaves its configuration alone",
    async (vmid) => {
      const before = { ...bench.config(vmid) };
      const imported = await bench.vm.import({ id: String(vmid) });
      await bench.vm.expectSettled(imported, writable(bench.vm, imported));
      expect(bench.config(vmid)).toEqual(before);
    },
  );

  test("shows what there is", async () => {
    const imported = await bench.vm.import({ id: "700" });
    expect(attribute(imported, "smbios", "manufacturer")).toBe("Some Maker");
    expect(attribute(imported, "cpu", "flags")).toEqual(["+aes", "-pcid"]);
    expect(attribute(imported, "disks", "virtio3", "size")).toBe("528K");
    expect(attribute(imported, "disks", "scsi0", "serial")).toBe("a b");
    expect(attribute(imported, "networks", "net0", "trunks")).toEqual(["10", "20-30"]);
    expect(attribute(imported, "pci", "hostpci0", "address")).toBe("0000:01:00.0;0000:01:00.1");
    expect(attribute(imported, "cloud_init", "ssh_keys")).toEqual(keys);
    expect(attribute(imported, "unused_disks")).toEqual({ unused3: "local-lvm:vm-700-disk-9" });
  });

  test("leaves alone what the configuration does not mention", async () => {
    const imported = await bench.vm.import({ id: "704" });
    const updated = await bench.vm.update(imported, {
      name: "new-words",
      networks: { net0: { vlan: 5 } },
      cpu: { cores: 2 },
    });
    expect(bench.config(704)).toMatchObject({
      net0: "virtio=BC:24:11:AA:BB:CE,bridge=vmbr0,host-tunnel=1,tag=5",
      cores: "2",
    });
    expect(attribute(updated, "networks", "net0", "mac")).toBe("BC:24:11:AA:BB:CE");
  });

  test("of a legacy boot line can be given an order", async () => {
    const imported = await bench.vm.import({ id: "702" });
    await bench.vm.update(imported, { name: "legacy", boot_order: ["net0"] });
    expect(bench.config(702)["boot"]).toBe("order=net0");
  });
});
