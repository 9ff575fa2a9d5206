import type { World } from "#simulator";
import type { Chronicle } from "./chronicle.ts";
import type { ProtectedDisk } from "./ledger.ts";
import type { Held, Result } from "./stack.ts";

/** Everything that must not happen once the faults have stopped and one apply has run. */
export const findingKinds = [
  "apply failed",
  "command stuck",
  "rule broken",
  "plan not empty",
  "VM missing",
  "orphan VM",
  "orphan volume",
  "orphan HA resource",
  "duplicate name",
  "stranger touched",
  "disk lost",
  "VM replaced unasked",
  "mark left",
  "secret leaked",
] as const;

export interface Finding {
  readonly kind: (typeof findingKinds)[number];
  readonly text: string;
}

/** The facts of the cluster and of Terraform's state. */
export interface Evidence {
  readonly chronicle: Chronicle;
  readonly held: ReadonlyMap<string, Held>;
  /** Names of the VMs that are configured. */
  readonly wanted: readonly string[];
  readonly treasures: readonly ProtectedDisk[];
  readonly generations: ReadonlyMap<string, string>;
  /** All messages of the provider: a volume that it could not remove and has named is known, not lost. */
  readonly messages: string;
}

const finding =
  (kind: Finding["kind"]) =>
  (text: string): Finding => ({ kind, text });

/** Checks the server, not the provider. */
export function judge(evidence: Evidence): Finding[] {
  return [
    ...missing(evidence).map(finding("VM missing")),
    ...orphans(evidence).map(finding("orphan VM")),
    ...orphanVolumes(evidence).map(finding("orphan volume")),
    ...orphanServices(evidence.chronicle.world).map(finding("orphan HA resource")),
    ...duplicates(evidence).map(finding("duplicate name")),
    ...evidence.chronicle.damages().map(finding("stranger touched")),
    ...lostDisks(evidence).map(finding("disk lost")),
    ...replaced(evidence).map(finding("VM replaced unasked")),
    ...marked(evidence).map(finding("mark left")),
  ];
}

/** Messages of a command that should not be necessary. */
export const failures = ({ errors, violations }: Result): Finding[] => [
  ...errors.map(finding("apply failed")),
  ...violations.map(finding("rule broken")),
];

export const secretsIn = (logs: string, secrets: readonly string[]): Finding[] =>
  secrets.filter((secret) => logs.includes(secret)).map(finding("secret leaked"));

/** VMs that neither existed at the start nor took a VMID in a fault. */
function ourGuests({ chronicle }: Evidence) {
  const guests = Object.values(chronicle.world.guests);
  return guests.filter(({ vmid, config }) => !chronicle.isOthers(vmid) && config["name"] !== "taken-by-another");
}

function missing({ wanted, held, chronicle }: Evidence): string[] {
  return wanted.flatMap((name) => {
    const vmid = held.get(name)?.vmid;
    if (vmid === undefined) return [`${name} is in no state`];
    const guest = chronicle.world.guests[vmid];
    return guest?.config["name"] === name ? [] : [`${name} should be VM ${vmid}`];
  });
}

function orphans(evidence: Evidence): string[] {
  const known = new Set([...evidence.held.values()].map(({ vmid }) => vmid));
  const lost = ourGuests(evidence).filter(({ vmid }) => !known.has(vmid));
  return lost.map(({ vmid, node, config }) => `VM ${vmid} "${config["name"] ?? "?"}" on ${node} is in no state`);
}

function orphanVolumes({ chronicle, messages }: Evidence): string[] {
  const used = new Map(Object.values(chronicle.world.guests).flatMap((guest) => volumesOf(guest)));
  const lost = chronicle.world.volumes.filter((volume) => {
    const { volid, node } = volume;
    const user = used.get(volid);
    const isUsed = user !== undefined && (node === undefined || node === user);
    return !isUsed && !chronicle.isOthersVolume(volume) && !chronicle.isExcused(volid) && !messages.includes(volid);
  });
  return lost.map(({ volid, node, vmid }) => `${volid} of VM ${vmid ?? "?"} on ${node ?? "all nodes"} is in no VM`);
}

/** Volumes that a guest names anywhere, with its node: in a drive, as unused, pending or in a snapshot. */
function volumesOf({ config, pending, snapshots, node }: World["guests"][string]): [string, string][] {
  const sections = [config, pending.set, ...Object.values(snapshots)];
  const lines = sections.flatMap((section) => Object.values(section));
  return lines.map((line) => [line.split(",")[0]?.replace(/^file=/, "") ?? "", node]);
}

const orphanServices = ({ ha, guests }: World): string[] =>
  Object.keys(ha.resources).filter((sid) => guests[sid.replace(/^\w+:/, "")] === undefined);

function duplicates(evidence: Evidence): string[] {
  const names = ourGuests(evidence).map(({ config }) => config["name"] ?? "?");
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
}

function lostDisks({ treasures, held, chronicle }: Evidence): string[] {
  return treasures.flatMap(({ vm, slot, disk, mayBeElsewhere }) => {
    const portrait = chronicle.portrait(held.get(vm)?.vmid ?? 0);
    const disks = Object.values(portrait?.disks ?? {});
    if (disks.some(({ stamp }) => stamp === disk.stamp)) return [];
    const now = portrait?.disks[slot];
    const places = Object.entries(portrait?.disks ?? {}).filter(([name]) => name === slot || name.startsWith("unused"));
    if (mayBeElsewhere && places.some(([, { size }]) => size >= disk.size)) return [];
    return [`${disk.volid}, ${slot} of ${vm}, ${now ? `has become ${now.volid}` : "does not exist"}`];
  });
}

function replaced({ generations, held, chronicle }: Evidence): string[] {
  return [...generations].flatMap(([name, generation]) => {
    const now = chronicle.portrait(held.get(name)?.vmid ?? 0)?.generation;
    return now === generation ? [] : [`${name} was ${generation} and is ${now ?? "missing"}`];
  });
}

const marked = (evidence: Evidence): string[] =>
  ourGuests(evidence).flatMap(({ vmid, config }) =>
    config["description"]?.includes("terraform-provider-proxmox") ? [`VM ${vmid}: ${config["description"]}`] : [],
  );
