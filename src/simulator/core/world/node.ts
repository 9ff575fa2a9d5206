import { die } from "../kernel/failure.ts";
import type { World } from "./world.ts";

/** A member of the cluster. */
export interface Node {
  readonly name: string;
  readonly id: number;
  address: string;
  online: boolean;
  /** The error of a connection to the node while it is not online. */
  unreachable?: string;
  /** Time stamp since when its pvestatd hangs and broadcasts nothing. */
  statisticsHangSince?: number;
  cpus: number;
  /** Bytes. */
  memory: number;
  /** The interfaces of /etc/network/interfaces by name, as options. */
  interfaces: Record<string, Record<string, unknown>>;
  /** Names of the physical network cards. */
  nics?: string[];
  /** The package openvswitch-switch is installed. */
  hasOpenVSwitch?: true;
  /** VLANs then need a name that contains their id. */
  hasNoIfupdown2?: true;
  /** The text of /etc/network/interfaces; undefined for a file of an installation, without header and further lines. */
  interfacesFile?: string;
  /** Bridges that exist for guests although they are in no file. */
  otherBridges: string[];
  /** Seconds since the epoch. */
  bootedAt: number;
  /** The interfaces before a reload removed the node's address; they can be restored from its console. */
  lostInterfaces?: { interfaces: Record<string, Record<string, unknown>>; text: string };
  /** It was shut down, or is rebooting. */
  poweredOff?: true;
  /** /etc/network/interfaces.new: staged changes. */
  newInterfaces?: Record<string, Record<string, unknown>>;
  /** Its lines that belong to no interface; those of the current file if undefined. */
  newInterfacesLines?: readonly { readonly priority: number; readonly line: string }[];
  /** /etc/network/interfaces.d/sdn and /etc/frr/frr.conf, after a reload wrote them. */
  sdnInterfaces?: string;
  frrConfig?: string;
  /** /etc/resolv.conf. */
  dns?: { search?: string; dns1?: string; dns2?: string; dns3?: string };
  /** /etc/hosts, after it was changed. */
  hosts?: string;
  timezone?: string;
  /** Options of the node; undefined before the first one is written. */
  config?: Record<string, string>;
  /** Packages that can be upgraded, as the API shows them. */
  updates?: Record<string, string>[];
  subscriptionKey?: string;
  /** pveproxy-ssl.pem and its key. */
  certificate?: { chain: string; key: string };
  disks?: NodeDisk[];
  diskPools?: DiskPool[];
  /** After they were changed. */
  repositories?: AptRepository[];
}

/** A disk of a host. */
export interface NodeDisk {
  readonly devpath: string;
  /** Bytes. */
  readonly size: number;
  readonly model: string;
  readonly serial: string;
  readonly type: "hdd" | "nvme" | "ssd";
  /** Its use: `LVM`, `ZFS`, `mounted`, `partitions`; undefined for an empty disk. */
  used?: string;
}

/** A pool that was created on disks of a host. */
export interface DiskPool {
  readonly type: "directory" | "lvm" | "lvmthin" | "zfs";
  readonly name: string;
  readonly devices: readonly string[];
  readonly size: number;
  readonly settings: Readonly<Record<string, string>>;
}

export interface AptRepository {
  path: string;
  types: string[];
  uris: string[];
  suites: string[];
  components: string[];
  enabled: 0 | 1;
}

export function getNode({ nodes }: World, name: string): Node {
  return nodes[name] ?? die(`no such cluster node '${name}'`);
}

/** /etc/resolv.conf of a host, as installed or as last written. */
export function resolverOf(world: World, name: string): NonNullable<Node["dns"]> {
  return getNode(world, name).dns ?? { search: "example.com", dns1: "192.0.2.1" };
}
