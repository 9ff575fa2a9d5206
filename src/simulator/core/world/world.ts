import type { Access } from "./access.ts";
import type { Acme } from "./acme.ts";
import type { Ceph } from "./ceph.ts";
import type { Firewall } from "./firewall.ts";
import type { Guest } from "./guest.ts";
import type { HighAvailability } from "./ha.ts";
import type { Mappings } from "./mapping.ts";
import type { Node } from "./node.ts";
import type { Notifications } from "./notifications.ts";
import type { Sdn } from "./sdn.ts";
import type { ConfigSection } from "./section.ts";
import type { Storage, Volume } from "./storage.ts";
import type { TaskRecord } from "./tasks.ts";

/**
 * The whole state of the cluster as plain JSON data: cloned for a reset, written to a file by `--state`. The types of
 * each area's part are in separate files; behaviour is in the areas.
 */
export interface World {
  version: { version: string; release: string; repoid: string };
  /** Parts whose packages are older than pve-manager: the version of it that was released with them. */
  parts?: { sdn?: string; ha?: string; qemu?: string };
  cluster: Cluster;
  /** By name. */
  nodes: Record<string, Node>;
  access: Access;
  /** By id, in the order of storage.cfg. */
  storages: Record<string, Storage>;
  volumes: Volume[];
  /** Volumes that no storage names any more, by the place that they are on. */
  lostVolumes: Record<string, Volume[]>;
  /** By VMID. */
  guests: Record<string, Guest>;
  /** Oldest first. */
  tasks: TaskRecord[];
  ha: HighAvailability;
  sdn: Sdn;
  mappings: Mappings;
  firewall: Firewall;
  /** Custom processor models by name, without their prefix. */
  cpuModels: Record<string, ConfigSection>;
  /** Replication jobs by id, and the states of their last runs. */
  replication: { jobs: Record<string, ConfigSection>; states: Record<string, ReplicationState> };
  /** Backup jobs of jobs.cfg by id. */
  backupJobs: Record<string, ConfigSection>;
  realmSyncJobs: Record<string, ConfigSection>;
  /** status.cfg by id. */
  metricServers: Record<string, ConfigSection>;
  notifications: Notifications;
  acme: Acme;
  /** Null: Ceph is not installed. */
  ceph: Ceph | null;
}

export interface Cluster {
  /** Undefined: a standalone node. */
  name: string | undefined;
  /** datacenter.cfg, values as in the file (`next-id: lower=100,upper=1000000`). */
  options: Record<string, string>;
  /** The node that answers requests. */
  local: string;
  qemuVersion: string;
  behaviour: { agentAfterStart: number; acpiShutdown: number; statisticsCycle: number };
}

/** What a node stores about a replication job. */
export interface ReplicationState {
  /** Time stamps of the last attempt and of the last successful one. */
  lastTry: number;
  lastSync: number;
  /** Seconds that it took. */
  duration: number;
  failures: number;
  error?: string;
  log: string[];
}
