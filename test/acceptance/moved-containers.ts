import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Input } from "../harness/index.ts";

const folder = join(import.meta.dirname, "fixtures");
const read = (name: string) => readFileSync(join(folder, name), "utf8");

interface Recorded {
  readonly resources: readonly {
    readonly type: string;
    readonly name: string;
    readonly instances: readonly { readonly attributes: Readonly<Record<string, Input>> }[];
  }[];
}

/** The containers of all recorded states, as they were on the server then. */
export const movedContainers: readonly object[] = JSON.parse(read("moved-containers.json"));

/** What bpg's provider 0.111.1 and Telmate's 3.0.2 stored when they had made containers on the simulator. */
export const recordedText = (file: string): string => read(`${file}-containers.tfstate`);

export function recordedContainer(file: string, type: string, name: string): Readonly<Record<string, Input>> {
  const { resources } = JSON.parse(recordedText(file)) as Recorded;
  const found = resources.find((one) => one.type === type && one.name === name)?.instances[0];
  if (!found) throw new Error(`${file} has no ${type}.${name}`);
  return found.attributes;
}

interface MovedContainer {
  readonly file: "bpg" | "telmate";
  readonly from: string;
  readonly name: string;
  /** What a person writes here for the same container. */
  readonly config: Readonly<Record<string, Input>>;
}

const image = { volume: "nas:vztmpl/debian-13-standard_13.1-2_amd64.tar.zst" };
const common = {
  node: "pve1",
  image,
  pool: "lab",
  description: "from the other side",
  tags: ["lab", "web"],
  on_boot: true,
  startup: { order: 3, up_delay: 60 },
  memory: { size: "1G", swap: "256M" },
  dns: { servers: ["192.0.2.53", "192.0.2.54"], search_domains: ["example.com"] },
};
const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f ops@example";
const share = { host_path: "/srv/share", path: "/share", read_only: true };
const card = (address: string, more: object = {}) => ({
  name: "eth0",
  bridge: "vmbr0",
  vlan: 20,
  firewall: true,
  ipv4: { address: `${address}/24`, gateway: "10.0.20.1" },
  ...more,
});
const dmz = { name: "dmz", bridge: "vmbr1", ipv4: { address: "dhcp" } };

export const containerMoves: readonly MovedContainer[] = [
  {
    file: "bpg",
    from: "proxmox_virtual_environment_container",
    name: "web",
    config: {
      ...common,
      vmid: 601,
      name: "web",
      ssh_keys: [key],
      cpu: { cores: 2, units: 200 },
      console: { mode: "shell", ttys: 3 },
      features: { nesting: true, keyctl: true, mount: ["nfs"] },
      devices: { dev0: { path: "/dev/fuse", mode: "0666" } },
      mounts: {
        rootfs: { storage: "local-lvm", size: "8G", options: ["noatime"] },
        mp0: { storage: "local-lvm", size: "5G", path: "/data", backup: true },
        mp1: share,
      },
      networks: { net0: card("10.0.20.11", { mtu: 1400, ipv6: { address: "fd00:20::11/64" } }), net1: dmz },
    },
  },
  {
    file: "bpg",
    from: "proxmox_virtual_environment_container",
    name: "copy",
    config: { name: "copy", vmid: 602, power: "stopped", clone: { template: "9100", full: true } },
  },
  {
    file: "telmate",
    from: "proxmox_lxc",
    name: "web",
    config: {
      ...common,
      vmid: 611,
      name: "lxc-web",
      cpu: { cores: 2 },
      features: { nesting: true },
      mounts: {
        rootfs: { storage: "local-lvm", size: "8G" },
        mp0: { storage: "local-lvm", size: "5G", path: "/data" },
      },
      networks: { net0: card("10.0.20.12"), net1: dmz },
    },
  },
  {
    file: "telmate",
    from: "proxmox_lxc_guest",
    name: "web",
    config: {
      ...common,
      vmid: 621,
      name: "guest-web",
      cpu: { cores: 2, units: 200 },
      features: { nesting: true, keyctl: true },
      mounts: {
        rootfs: { storage: "local-lvm", size: "8G", options: ["noatime"] },
        mp0: { storage: "local-lvm", size: "5G", path: "/data", backup: true },
        mp1: share,
      },
      networks: { net0: card("10.0.20.13", { ipv6: { address: "fd00:20::13/64" } }), net1: { ...dmz, firewall: true } },
    },
  },
];
