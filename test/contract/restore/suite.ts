import { defaultSeed } from "#simulator";
import type { BenchOptions } from "../resource-bench.ts";
import { invoke } from "../vm/streams.ts";
import { Bench as GuestBench } from "../vm/suite.ts";

const guests = [
  {
    vmid: 301,
    node: "pve1",
    running: true,
    config: {
      name: "shop",
      description: "The shop\n\nIts **owner**: 100% ops: yes",
      cores: 3,
      memory: 3072,
      ostype: "l26",
      scsihw: "virtio-scsi-single",
      scsi0: "local-lvm:vm-301-disk-0,discard=on,size=4G,ssd=1",
      scsi1: "local-zfs:vm-301-disk-0,size=2G",
      ide2: "local-lvm:vm-301-cloudinit,media=cdrom,size=4M",
      net0: "virtio=BC:24:11:00:03:01,bridge=vmbr0,tag=20",
      boot: "order=scsi0",
      agent: "enabled=1",
      tags: "prod;web",
      smbios1: "uuid=00000000-0000-4000-8000-000000000301",
      vmgenid: "00000000-0000-4000-9000-000000000301",
    },
  },
  {
    vmid: 401,
    node: "pve1",
    type: "lxc",
    config: {
      hostname: "cache",
      arch: "amd64",
      ostype: "debian",
      unprivileged: 1,
      memory: 1024,
      swap: 256,
      cores: 2,
      features: "nesting=1",
      tags: "prod",
      rootfs: "local-lvm:vm-401-disk-0,size=4G",
      mp0: "local-zfs:subvol-401-disk-0,mp=/var/lib/data,backup=1,size=2G",
      net0: "name=eth0,bridge=vmbr0,hwaddr=BC:24:11:00:04:01,ip=dhcp,type=veth",
    },
  },
];

/** A cluster with a VM and a container that can be backed up. */
export const seed = { ...(defaultSeed() as object), guests, pools: [{ poolid: "lab" }] };

/** The bench with a view of containers and backups. */
export class Bench extends GuestBench {
  static openWith(options: BenchOptions = {}): Promise<Bench> {
    return Bench.open({ seed, ...options });
  }

  get container() {
    return this.resource("proxmox_container");
  }

  /** Backs a guest up; returns the volume ID of the backup. */
  async backUp(vmid: number, storage = "nas"): Promise<string> {
    const { diagnostics } = await invoke(this.provider, "proxmox_backup", { vmids: [vmid], storage });
    if (diagnostics.length > 0) throw new Error(JSON.stringify(diagnostics));
    const made = this.backups(vmid)
      .filter((volid) => volid.startsWith(`${storage}:`))
      .at(-1);
    if (made === undefined) throw new Error(`there is no backup of ${vmid}`);
    return made;
  }

  backups(vmid: number): string[] {
    const volumes = this.simulator.sim.world.volumes.filter((one) => one.content === "backup" && one.vmid === vmid);
    return volumes.map(({ volid }) => volid).sort();
  }

  removeVolume(volid: string): void {
    const { volumes } = this.simulator.sim.world;
    volumes.splice(
      volumes.findIndex((one) => one.volid === volid),
      1,
    );
  }

  /** The configuration without names of volumes, which carry the VMID, and without the generation. */
  portable(vmid: number): Readonly<Record<string, string>> {
    const entries = Object.entries(this.config(vmid)).filter(([option]) => option !== "vmgenid");
    const common = (line: string) => line.replaceAll(new RegExp(`\\b(vm|subvol)-${vmid}-`, "g"), "$1-").trimEnd();
    return Object.fromEntries(entries.map(([option, line]) => [option, common(line)]));
  }
}
