import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { defaultSeed } from "../../../src/simulator/seed/default-seed.ts";
import { type Input, ProviderErrors, unknown } from "../../harness/index.ts";
import { placeOf } from "../place-of.ts";
import { Bench, sshKey } from "./suite.ts";

const clone = { template: "ubuntu-24.04-cloud" };
const bare = { node: "pve1", power: "running" };

/** What is wrong, the configuration, where the plan says so, what it says, and what PVE says during the apply. */
type Row = readonly [title: string, config: Input, path: string, message: RegExp, refusal: string];

const rows: readonly Row[] = [
  [
    "a node that does not exist",
    { ...bare, node: "pve4" },
    "node",
    /Node `pve4` does not exist\. Available: `pve1`, `pve2`, `pve3`/,
    "hostname lookup 'pve4' failed",
  ],
  [
    "a node that does not exist, for a clone",
    { clone, node: "pve" },
    "node",
    /does not exist/,
    "no such cluster node 'pve'",
  ],
  [
    "a snapshot that does not exist",
    { clone: { ...clone, snapshot: "nope" } },
    "clone.snapshot",
    /VM 9000 has no snapshot `nope`/,
    "snapshot 'nope' does not exist",
  ],
  [
    "a linked clone of a VM",
    { clone: { template: "200", full: false } },
    "clone.full",
    /VM 200, which is no template.*clone\.full = true/s,
    "Linked clone feature is not supported",
  ],
  [
    "a linked clone of a template on thick LVM",
    { clone: { template: "201" } },
    "clone.template",
    /Template 201 has disks/,
    "Linked clone feature is not supported",
  ],
  [
    "a full clone of a running VM with a TPM",
    { clone: { template: "202" } },
    "clone.template",
    /TPM.*Stop it/s,
    "cannot clone TPM state while VM is running",
  ],
  [
    "a disk on a storage without images",
    { ...bare, disks: { scsi0: { storage: "local", size: "1G" } } },
    "disks.scsi0.storage",
    /set up for .*`iso`.*not for `images`.*Available: `ceph`/s,
    "does not support vm images",
  ],
  [
    "a clone on a storage without images",
    { clone: { ...clone, storage: "local" } },
    "clone.storage",
    /not for `images`/,
    "does not support vm images",
  ],
  [
    "a cloud-init drive on a storage without images",
    { ...bare, cloud_init: { storage: "local", user: "ops" } },
    "cloud_init.storage",
    /not for `images`/,
    "does not support content-type 'images'",
  ],
  [
    "an EFI disk on a storage without images",
    { ...bare, bios: "ovmf", efi_disk: { storage: "local" } },
    "efi_disk.storage",
    /not for `images`/,
    "does not support vm images",
  ],
  [
    "a clone to a storage that its source's node does not have",
    { node: "pve2", clone: { ...clone, storage: "fast" } },
    "clone.storage",
    /does not exist on pve1/,
    "storage 'fast' is not available on node 'pve1'",
  ],
  [
    "a format the storage does not have",
    { ...bare, disks: { scsi0: { storage: "local-lvm", size: "1G", format: "qcow2" } } },
    "disks.scsi0.format",
    /cannot hold `qcow2` images\. Available: `raw`/,
    "unsupported format 'qcow2'",
  ],
  [
    "a snippet that does not exist",
    { clone, cloud_init: { snippets: { user: "local:snippets/usr.yaml" } } },
    "cloud_init.snippets.user",
    /Did you mean `local:snippets\/user\.yaml`/,
    "volume 'local:snippets/usr.yaml' does not exist",
  ],
  [
    "a snippet on a storage without snippets",
    { clone, cloud_init: { snippets: { user: "ceph:snippets/user.yaml" } } },
    "cloud_init.snippets.user",
    /not for `snippets`/,
    "unable to parse rbd volume name",
  ],
  [
    "a CPU type that does not exist",
    { clone, cpu: { type: "x86-64-v5" } },
    "cpu.type",
    /neither built into QEMU.*Did you mean `x86-64-v/s,
    "Built-in cputype 'x86-64-v5' is not defined",
  ],
  [
    "a custom CPU model that does not exist",
    { clone, cpu: { type: "custom-none" } },
    "cpu.type",
    /nor a custom model/,
    "Custom cputype 'none' not found",
  ],
  [
    "a CPU flag that does not exist",
    { clone, cpu: { type: "host", flags: ["+avx512"] } },
    "cpu.flags",
    /cannot set the flag `avx512`/,
    "VM-specific CPU flags must be a subset of",
  ],
  [
    "more cores than the node has",
    { clone, cpu: { cores: 64 } },
    "cpu.cores",
    /64 cores, and pve1 .* 16 processors/s,
    "MAX 16 vcpus allowed",
  ],
  [
    "more sockets than the node has",
    { clone, cpu: { cores: 4, sockets: 8 } },
    "cpu.sockets",
    /8 sockets of 4 cores/,
    "MAX 16 vcpus allowed",
  ],
  [
    "more plugged processors than there are",
    { clone, cpu: { cores: 2, vcpus: 4 } },
    "cpu.vcpus",
    /at most 2/,
    "QEMU exited with code 1",
  ],
  [
    "a balloon above the memory",
    { clone, memory: { size: "2G", balloon: "4G" } },
    "memory.balloon",
    /2G of memory.*4G is more/s,
    "balloon value too large",
  ],
  [
    "a balloon above the template's memory",
    { clone, memory: { balloon: "4G" } },
    "memory.balloon",
    /2G of memory/,
    "balloon value too large",
  ],
  [
    "a disc that is not there",
    { clone, cdroms: { ide0: { file: "local:iso/none.iso" } } },
    "cdroms.ide0.file",
    /does not exist on pve1/,
    "volume 'local:iso/none.iso' does not exist",
  ],
  [
    "a volume that is not there",
    { clone, disks: { scsi1: { volume: "local-lvm:vm-200-disk-7" } } },
    "disks.scsi1.volume",
    /does not exist on pve1/,
    "no such logical volume",
  ],
  [
    "an Intel IOMMU without q35",
    { clone, machine: { viommu: "intel" } },
    "machine.viommu",
    /machine\.type = "q35"/,
    "set the machine type to q35",
  ],
  [
    "an address width without an IOMMU",
    { clone, machine: { aw_bits: 48 } },
    "machine.aw_bits",
    /the VM has none/,
    "cannot set aw-bits",
  ],
  [
    "a wrong address width",
    { clone, machine: { type: "q35", viommu: "intel", aw_bits: 40 } },
    "machine.aw_bits",
    /39 or 48/,
    "only 39 or 48 bits",
  ],
  [
    "a clipboard on a serial console",
    { clone, vga: { clipboard: "vnc" } },
    "vga.clipboard",
    /`serial0` has no clipboard/,
    "not compatible with VNC clipboard",
  ],
  [
    "UEFI on a 32-bit processor",
    { clone, bios: "ovmf", cpu: { type: "qemu32" } },
    "cpu.type",
    /32-bit/,
    "not supported on 32-bit CPU types",
  ],
  [
    "a high USB slot on an old guest",
    { clone, os_type: "other", usb: { usb7: { device: "spice" } } },
    "usb.usb7",
    /above `usb4`/,
    "using usb7 is only possible",
  ],
  [
    "a disk that throws writes away",
    { clone, disks: { scsi0: { snapshot: true } } },
    "disks.scsi0.snapshot",
    /version 10\.0/,
    "'snapshot' option is not yet supported",
  ],
  [
    "an MTU that is too small",
    { clone, networks: { net0: { mtu: 500 } } },
    "networks.net0.mtu",
    /below 576/,
    "smaller than the IP minimum MTU",
  ],
  [
    "an MTU above the bridge's",
    { clone, networks: { net0: { bridge: "vmbr1", mtu: 9000 } } },
    "networks.net0.mtu",
    /MTU of 1400/,
    "bigger than the bridge MTU",
  ],
  [
    "memory hotplug without NUMA",
    { clone, hotplug: ["memory"] },
    "hotplug",
    /cpu\.numa = true/,
    "NUMA needs to be enabled",
  ],
  [
    "memory hotplug with too little memory",
    { clone, hotplug: ["memory"], cpu: { numa: true }, memory: { size: "512M" } },
    "memory.size",
    /at least 1G/,
    "minimum memory must be",
  ],
  [
    "memory hotplug with an odd size",
    { clone, hotplug: ["memory"], cpu: { numa: true }, memory: { size: "1200M" } },
    "memory.size",
    /multiple of 512M/,
    "must be aligned to 512",
  ],
  [
    "memory hotplug with NUMA nodes",
    { clone, hotplug: ["memory"], cpu: { numa: true }, numa_nodes: { numa0: { cpus: ["0-1"], memory: "2G" } } },
    "hotplug",
    /numa_nodes/,
    "custom NUMA topology",
  ],
  [
    "NUMA nodes that do not add up",
    { clone, cpu: { numa: true }, numa_nodes: { numa0: { cpus: ["0-1"], memory: "1G" } } },
    "numa_nodes",
    /1024M together.*2048M/s,
    "total memory for NUMA nodes",
  ],
  [
    "a NUMA node without memory",
    { clone, cpu: { numa: true }, numa_nodes: { numa0: { cpus: ["0-1"] } } },
    "numa_nodes.numa0.memory",
    /has no memory/,
    "missing NUMA node0 memory",
  ],
  [
    "host nodes without a policy",
    { clone, cpu: { numa: true }, numa_nodes: { numa0: { cpus: ["0-1"], memory: "2G", host_nodes: ["0"] } } },
    "numa_nodes.numa0.policy",
    /without a `policy`/,
    "define a policy for hostnode",
  ],
  [
    "a PCI Express device without q35",
    { clone, pci: { hostpci0: { mapping: "gpu", pcie: true } } },
    "pci.hostpci0.pcie",
    /q35/,
    "q35 machine model is not enabled",
  ],
  [
    "a mapping of another node",
    { clone, pci: { hostpci0: { mapping: "elsewhere" } } },
    "pci.hostpci0.mapping",
    /has no device on pve1.*Available: `pve3`/s,
    "PCI device mapping not found",
  ],
  [
    "a directory mapping of another node",
    { clone, virtiofs: { virtiofs0: { mapping: "share" } } },
    "virtiofs.virtiofs0.mapping",
    /has no device on pve1/,
    "No directory mapping for node pve1",
  ],
  [
    "a machine newer than QEMU",
    { clone, machine: { type: "pc-q35-99.0" } },
    "machine.type",
    /`pc-q35-99\.0`/,
    "is too old to run machine type",
  ],
];

const seed = () => {
  const base = defaultSeed() as Record<string, object[]>;
  const lvm = {
    storage: "thick",
    type: "lvm",
    vgname: "thick",
    content: ["images"],
    total_bytes: 2 ** 40,
    avail_bytes: 2 ** 40,
  };
  const fast = { ...lvm, storage: "fast", vgname: "fast", nodes: ["pve2"] };
  const disk = (storage: string, vmid: number) => ({
    scsi0: `${storage}:vm-${vmid}-disk-0,size=1G`,
    scsihw: "virtio-scsi-pci",
  });
  return {
    ...base,
    storages: [...(base["storages"] ?? []), lvm, fast],
    bridges: base["bridges"]?.map((bridge) =>
      "iface" in bridge && bridge.iface === "vmbr1" ? { ...bridge, mtu: 1400 } : bridge,
    ),
    guests: [
      ...(base["guests"] ?? []),
      { vmid: 200, config: { name: "plain", ...disk("local-lvm", 200) } },
      { vmid: 201, config: { name: "thick", template: 1, ...disk("thick", 201) } },
      {
        vmid: 202,
        running: true,
        config: {
          name: "secure",
          ...disk("local-lvm", 202),
          tpmstate0: "local-lvm:vm-202-disk-1,size=4M,version=v2.0",
        },
      },
    ],
  };
};

const file = { node: "pve1", size: 2 ** 20, ctime: 1 };

let bench: Bench;

/** What no seed can say. */
function furnish({ simulator }: Bench): void {
  const { world } = simulator.sim;
  world.mappings.pci["gpu"] = { type: "pci", options: { map: ["node=pve1,path=0000:01:00.0,id=10de:2204"] } } as never;
  world.mappings.pci["elsewhere"] = {
    type: "pci",
    options: { map: ["node=pve3,path=0000:01:00.0,id=10de:2204"] },
  } as never;
  world.mappings.dir["share"] = { type: "dir", options: { map: ["node=pve3,path=/srv"] } } as never;
  world.volumes.push({ ...file, volid: "local:snippets/user.yaml", content: "snippets", format: "snippet" } as never);
}

beforeAll(async () => {
  bench = await Bench.open({ seed: seed() });
  furnish(bench);
});

afterAll(() => bench.close());

/** The diagnostics of a plan that is refused, as "path: detail". */
async function refusals(config: Input): Promise<string[]> {
  try {
    await bench.vm.plan(null, config);
    return [];
  } catch (error) {
    if (!(error instanceof ProviderErrors)) throw error;
    return error.diagnostics.map((one) => `${placeOf(one)}: ${one.detail}`);
  }
}

describe("the plan foresees", () => {
  test.each(rows)("%s", async (_, config, path, message) => {
    const found = await refusals(config);
    expect(found.map((line) => line.split(": ")[0])).toEqual([path]);
    expect(found[0]).toMatch(message);
  });
});

describe("without the plan's checks the apply fails on", () => {
  let unchecked: Bench;

  beforeAll(async () => {
    unchecked = await Bench.open({ seed: seed(), env: { PROXMOX_VE_PLAN_CHECKS: "off" } });
    furnish(unchecked);
  });

  afterAll(() => unchecked.close());

  test.each(rows)("%s", async (_, config, _path, _message, refusal) => {
    const failure = await unchecked.vm.create(config).catch((reason: unknown) => reason);
    if (!(failure instanceof ProviderErrors)) throw new Error("it was not refused");
    expect(failure.message).toContain(`Proxmox VE says: `);
    expect(failure.message).toContain(refusal);
    const vmids = unchecked.vmids().filter((vmid) => vmid >= 100 && vmid < 200);
    for (const vmid of vmids) delete unchecked.simulator.sim.world.guests[vmid];
  });
});

describe("nothing is refused", () => {
  test.each<[string, Input]>([
    ["for the template as it is", { clone }],
    ["while the memory is unknown", { clone, memory: { size: unknown, balloon: "4G" } }],
    ["while the cores are unknown", { clone, cpu: { cores: unknown, sockets: 16 } }],
    ["for a VM that is not started", { clone, power: "stopped", cpu: { cores: 64 } }],
    ["for a template of another node's size", { clone, template: true, cpu: { cores: 64 } }],
    [
      "for what is right",
      {
        clone,
        cpu: { type: "EPYC-Milan", flags: ["+aes"] },
        cloud_init: { ssh_keys: [sshKey], snippets: { user: "local:snippets/user.yaml" } },
      },
    ],
  ])("%s", async (_, config) => {
    expect(await refusals(config)).toEqual([]);
  });
});

describe("a change is judged by what it changes", () => {
  test("a VM that became wrong behind Terraform's back can be changed, and destroyed", async () => {
    const config = {
      name: "worn",
      clone,
      power: "stopped",
      networks: { net0: { bridge: "vmbr1" } },
      disks: { scsi1: { storage: "ceph", size: "1G" } },
      cdroms: { ide0: { file: "local:iso/gone.iso" } },
      cpu: { type: "host", cores: 16 },
    };
    const { world } = bench.simulator.sim;
    world.volumes.push({ ...file, volid: "local:iso/gone.iso", content: "iso", format: "iso" } as never);
    await bench.restart();
    const made = await bench.vm.create(config);
    const before = structuredClone({ storages: world.storages, nodes: world.nodes, volumes: world.volumes });
    const { ceph } = world.storages;
    if (ceph) ceph.options["content"] = "rootdir";
    for (const node of Object.values(world.nodes)) node.cpus = 8;
    world.volumes = world.volumes.filter(({ volid }) => volid !== "local:iso/gone.iso") as typeof world.volumes;
    await bench.restart();
    const changed = { ...config, description: "changed" };
    const plan = await bench.vm.plan(await bench.vm.refresh(made), changed);
    expect(plan.action).toBe("update");
    const started = bench.vm.plan(await bench.vm.refresh(made), { ...config, power: "running" });
    await expect(started).rejects.toThrow(/16 cores, and pve1 starts no VM with more than the 8 processors/);
    Object.assign(world, before);
    await bench.restart();
    await bench.vm.destroy(await bench.vm.apply(plan, changed));
  });

  test("another clone source is no change, and is said once", async () => {
    const config = { name: "sourced", clone, power: "stopped" };
    const made = await bench.vm.create(config);
    const other = { ...config, clone: { template: "debian-13-cloud" } };
    const plan = await bench.vm.plan(await bench.vm.refresh(made), other);
    expect(plan.action).toBe("no-op");
    expect(plan.warnings.map(({ summary }) => summary)).toEqual(["Clone source is not read again"]);
    expect((await bench.vm.plan(made, other)).warnings).toEqual([]);
    expect((await bench.vm.plan(made, { ...other, replace_on_source_change: true })).action).toBe("replace");
    await bench.vm.destroy(made);
  });
});
