import { onlyGrantable } from "#kit";
import { containerPrivileges } from "../../resources/container/privileges.ts";
import type { Subject } from "../../resources/guest/privileges.ts";
import { type VmPrivilege, vmPrivileges } from "../../resources/vm/privileges.ts";

/** The kinds of paths on which privileges are granted in Proxmox VE. */
export type PathKind = "vms" | "storage" | "network" | "mapping" | "pool" | "nodes" | "cluster";

/** The path that covers everything of a kind. */
export const wholePath: Readonly<Record<PathKind, string>> = {
  vms: "/vms",
  storage: "/storage",
  network: "/sdn/zones",
  mapping: "/mapping",
  pool: "/pool",
  nodes: "/nodes",
  cluster: "/",
};

export interface Requirement {
  /** Any one of these; the first grants the least. */
  readonly privileges: readonly string[];
  readonly on: PathKind;
}

/** Something that users want to do, and the privileges for it. */
export interface Capability {
  /** What can be done, to follow "may". */
  readonly summary: string;
  readonly requirements: readonly Requirement[];
}

const kinds: Readonly<Record<Subject, PathKind>> = {
  guest: "vms",
  source: "vms",
  storage: "storage",
  network: "network",
  mapping: "mapping",
  pool: "pool",
  cluster: "cluster",
};

const ofVms = (...names: readonly VmPrivilege[]): Requirement[] =>
  names.map((name) => ({ privileges: vmPrivileges[name].privileges, on: kinds[vmPrivileges[name].on] }));

const ofContainers = (...names: readonly (keyof typeof containerPrivileges)[]): Requirement[] =>
  names.map((name) => ({ privileges: containerPrivileges[name].privileges, on: kinds[containerPrivileges[name].on] }));

const on = (kind: PathKind, ...privileges: readonly string[]): Requirement => ({ privileges, on: kind });

/** What a caller may want to do, each with the least privileges. Those for VMs come from the VM resource itself. */
export const capabilities = {
  plan: {
    summary: "plan, refresh and read data sources",
    requirements: [
      ...ofVms("see", "askAgent", "seeStorage", "seePool"),
      on("network", "SDN.Audit", "SDN.Use"),
      on("mapping", "Mapping.Audit"),
      ...ofVms("seeHighAvailability"),
    ],
  },
  clone: {
    summary: "clone a template",
    requirements: ofVms("see", "seeSource", "cloneSource", "allocate", "options", "allocateSpace", "connect"),
  },
  restore: {
    summary: "make a VM from a backup",
    requirements: ofVms("see", "backUp", "readBackups", "allocate", "options", "allocateSpace", "connect"),
  },
  configure: {
    summary: "change the settings of a VM",
    requirements: ofVms(
      ...(["see", "cpu", "memory", "hardware", "disks", "discs", "network", "options", "cloudInit"] as const),
      ...(["writeCloudInit", "allocateSpace", "connect"] as const),
    ),
  },
  run: { summary: "start, stop and restart a VM", requirements: ofVms("see", "power") },
  migrate: { summary: "move a VM to another node", requirements: ofVms("see", "migrate") },
  agent: { summary: "wait for the addresses of a guest", requirements: ofVms("see", "askAgent") },
  snapshot: { summary: "take snapshots", requirements: ofVms("see", "snapshot") },
  destroy: { summary: "destroy a VM", requirements: ofVms("see", "power", "allocate") },
  upload: {
    summary: "upload cloud-init data and images, and remove them again",
    requirements: [...ofVms("upload", "seeStorage", "useImage"), on("storage", "Datastore.Allocate")],
  },
  download: {
    summary: "have a node download an image",
    requirements: [...ofVms("upload", "seeStorage"), on("nodes", "Sys.AccessNetwork")],
  },
  containers: {
    summary: "create, clone, change, move and destroy containers",
    requirements: ofContainers(
      ...(["see", "seeSource", "cloneSource", "allocate", "cpu", "memory", "disks", "network", "options"] as const),
      ...(["allocateSpace", "seeStorage", "useImage", "connect", "power", "migrate"] as const),
    ),
  },
  seePool: { summary: "see which pool a VM is in", requirements: ofVms("seePool") },
  mappings: { summary: "give mapped devices and directories to a VM", requirements: ofVms("mapDevice") },
  pools: { summary: "create pools, and move VMs between them", requirements: ofVms("changePool", "allocate") },
  ha: {
    summary: "manage high availability",
    requirements: ofVms("highAvailability", "seeHighAvailability"),
  },
  startup: { summary: "set the order in which VMs start with their node", requirements: ofVms("startup") },
} as const satisfies Record<string, Capability>;

export type CapabilityName = keyof typeof capabilities;

/** As `doctor role --with` takes it: `see-pool`. */
export const optionOf = (name: CapabilityName): string =>
  name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The life cycle of a VM: what nearly every configuration does sooner or later. */
export const lifeCycle: readonly CapabilityName[] = ["clone", "configure", "run", "migrate", "agent", "destroy"];

/** The privileges of some capabilities together, by the kind of path, of those that the host has; null: of all. */
export function privilegesByKind(
  names: readonly CapabilityName[],
  host: ReadonlySet<string> | null,
): ReadonlyMap<PathKind, readonly string[]> {
  const requirements = names.flatMap((name): readonly Requirement[] => capabilities[name].requirements);
  const byKind = Map.groupBy(onlyGrantable(requirements, host), (requirement) => requirement.on);
  return new Map([...byKind].map(([kind, all]) => [kind, leastOf(all)]));
}

/** One privilege each, and none where another requirement already includes one that suffices. */
function leastOf(requirements: readonly Requirement[]): string[] {
  const certain = new Set(requirements.flatMap(({ privileges }) => (privileges.length === 1 ? privileges : [])));
  const chosen = requirements
    .filter(({ privileges }) => !privileges.some((privilege) => certain.has(privilege)))
    .flatMap(({ privileges }) => privileges[0] ?? []);
  return [...new Set([...certain, ...chosen])].sort();
}
