import { die } from "../kernel/failure.ts";
import type { World } from "./world.ts";

/** A member of the cluster. */
export interface Node {
  readonly name: string;
  readonly id: number;
  address: string;
  online: boolean;
  /** What a connection to it fails with while it is not online. */
  unreachable?: string;
  /** Since when its pvestatd hangs: from then on it broadcasts nothing. */
  statisticsHangSince?: number;
  cpus: number;
  /** Bytes. */
  memory: number;
  /** /etc/network/interfaces by name, as its options. */
  interfaces: Record<string, Record<string, unknown>>;
  /** Names of the physical cards. */
  nics?: string[];
  /** PVE has written /etc/network/interfaces itself. */
  hasOwnInterfacesFile?: true;
  /** Bridges that exist for guests though no file configures them. */
  otherBridges: string[];
  /** Seconds since the epoch. */
  bootedAt: number;
  /** The interfaces before a reload took the node's address away; whoever sits at its console can put them back. */
  lostInterfaces?: Record<string, Record<string, unknown>>;
  /** It was shut down, or is between the two halves of a reboot. */
  poweredOff?: true;
  /** /etc/network/interfaces.new: changes that wait to be applied. */
  newInterfaces?: Record<string, Record<string, unknown>>;
  /** /etc/network/interfaces.d/sdn and /etc/frr/frr.conf, once a reload wrote them. */
  sdnInterfaces?: string;
  frrConfig?: string;
  /** /etc/resolv.conf. */
  dns?: { search?: string; dns1?: string; dns2?: string; dns3?: string };
  /** /etc/hosts, once somebody wrote it. */
  hosts?: string;
  timezone?: string;
  /** Options of the node; undefined before the first is written. */
  config?: Record<string, string>;
  subscriptionKey?: string;
  /** pveproxy-ssl.pem and its key. */
  certificate?: { chain: string; key: string };
  disks?: NodeDisk[];
  diskPools?: DiskPool[];
  /** Once somebody has changed them. */
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
  /** What is on it: `LVM`, `ZFS`, `mounted`, `partitions`; undefined on an empty one. */
  used?: string;
}

/** What was made of a host's disks. */
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

/** /etc/resolv.conf of a host, as it was installed or as it was last written. */
export function resolverOf(world: World, name: string): NonNullable<Node["dns"]> {
  return getNode(world, name).dns ?? { search: "example.com", dns1: "192.0.2.1" };
}
