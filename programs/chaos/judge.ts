import type { World } from "#simulator";
import type { Chronicle } from "./chronicle.ts";
import type { Treasure } from "./ledger.ts";
import type { Held, Result } from "./stack.ts";

/** Everything that must not have happened when faults have stopped and one apply has run. */
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
  "secret told",
] as const;

export interface Finding {
  readonly kind: (typeof findingKinds)[number];
  readonly text: string;
}

/** What the cluster and Terraform's state are asked about. */
export interface Evidence {
  readonly chronicle: Chronicle;
  readonly held: ReadonlyMap<string, Held>;
  /** Names of the VMs that are configured. */
  readonly wanted: readonly string[];
  readonly treasures: readonly Treasure[];
  readonly generations: ReadonlyMap<string, string>;
  /** Everything the provider said to a person: a volume it could not remove and has named is known, not lost. */
  readonly told: string;
}

const finding =
  (kind: Finding["kind"]) =>
  (text: string): Finding => ({ kind, text });

/** Asks the server, not the provider. */
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

/** What a command said that it should not have had to say. */
export const failures = ({ errors, violations }: Result): Finding[] => [
  ...errors.map(finding("apply failed")),
  ...violations.map(finding("rule broken")),
];

export const secretsIn = (logs: string, secrets: readonly string[]): Finding[] =>
  secrets.filter((secret) => logs.includes(secret)).map(finding("secret told"));

/** VMs that are neither other people's from the beginning nor of those who took a VMID. */
function ourGuests({ chronicle }: Evidence) {
  const guests = Object.values(chronicle.world.guests);
  return guests.filter(({ vmid, config }) => !chronicle.isOthers(vmid) && config["name"] !== "somebody-elses");
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

function orphanVolumes({ chronicle, told }: Evidence): string[] {
  const used = new Map(Object.values(chronicle.world.guests).flatMap((guest) => volumesOf(guest)));
  const lost = chronicle.world.volumes.filter((volume) => {
    const { volid, node } = volume;
    const user = used.get(volid);
    const isUsed = user !== undefined && (node === undefined || node === user);
    return !isUsed && !chronicle.isOthersVolume(volume) && !chronicle.isExcused(volid) && !told.includes(volid);
  });
  return lost.map(({ volid, node, vmid }) => `${volid} of VM ${vmid ?? "?"} on ${node ?? "all nodes"} is in no VM`);
}

/** Volumes a guest names anywhere, and where it is: in a drive, as unused, pending or in a snapshot. */
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
    return [`${disk.volid}, ${slot} of ${vm}, ${now ? `has become ${now.volid}` : "is not there"}`];
  });
}

function replaced({ generations, held, chronicle }: Evidence): string[] {
  return [...generations].flatMap(([name, generation]) => {
    const now = chronicle.portrait(held.get(name)?.vmid ?? 0)?.generation;
    return now === generation ? [] : [`${name} was ${generation} and is ${now ?? "gone"}`];
  });
}

const marked = (evidence: Evidence): string[] =>
  ourGuests(evidence).flatMap(({ vmid, config }) =>
    config["description"]?.includes("terraform-provider-proxmox") ? [`VM ${vmid}: ${config["description"]}`] : [],
  );
