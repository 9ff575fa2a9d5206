import type { World } from "#simulator";
import type { Chronicle } from "./chronicle.ts";
import type { Watch } from "./part.ts";
import type { Configs } from "./script.ts";
import type { Held, Result } from "./stack.ts";

/** Something that must not be, once the faults have stopped and one apply has run. */
export interface Finding {
  readonly kind: string;
  readonly text: string;
}

/** The facts of the cluster and of Terraform's state. */
export interface Evidence {
  readonly chronicle: Chronicle;
  readonly held: ReadonlyMap<string, Held>;
  /** What is configured, by address. */
  readonly wanted: Configs;
  /** All messages of the provider: a volume that it could not remove and has named is known, not lost. */
  readonly messages: string;
}

export const finding =
  (kind: string) =>
  (text: string): Finding => ({ kind, text });

/** Checks the server, not the provider. */
export function judge(evidence: Evidence, watches: readonly Watch[]): Finding[] {
  return [
    ...watches.flatMap((watch) => watch.judge(evidence)),
    ...orphanVolumes(evidence, watches).map(finding("orphan volume")),
    ...orphanServices(evidence.chronicle.world).map(finding("orphan HA resource")),
    ...evidence.chronicle.damages().map(finding("stranger touched")),
  ];
}

/** Messages of a command that should not be necessary. */
export const failures = ({ errors, violations }: Result): Finding[] => [
  ...errors.map(finding("apply failed")),
  ...violations.map(finding("rule broken")),
];

export const secretsIn = (logs: string, secrets: readonly string[]): Finding[] =>
  secrets.filter((secret) => logs.includes(secret)).map(finding("secret leaked"));

function orphanVolumes(evidence: Evidence, watches: readonly Watch[]): string[] {
  const { chronicle, messages } = evidence;
  const used = new Map(Object.values(chronicle.world.guests).flatMap((guest) => volumesOf(guest)));
  const held = new Set(watches.flatMap((watch) => [...(watch.volumes?.(evidence) ?? [])]));
  const lost = chronicle.world.volumes.filter((volume) => {
    const { volid, node } = volume;
    const user = used.get(volid);
    const isUsed = held.has(volid) || (user !== undefined && (node === undefined || node === user));
    return !isUsed && !chronicle.isOthersVolume(volume) && !chronicle.isExcused(volid) && !messages.includes(volid);
  });
  return lost.map(({ volid, node, vmid }) => `${volid} of ${vmid ?? "?"} on ${node ?? "all nodes"} is in no guest`);
}

/** Volumes that a guest names anywhere, with its node: in a drive, as unused, pending or in a snapshot. */
function volumesOf({ config, pending, snapshots, node }: World["guests"][string]): [string, string][] {
  const sections = [config, pending.set, ...Object.values(snapshots)];
  const lines = sections.flatMap((section) => Object.values(section));
  return lines.map((line) => [line.split(",")[0]?.replace(/^(file|volume)=/, "") ?? "", node]);
}

const orphanServices = ({ ha, guests }: World): string[] =>
  Object.keys(ha.resources).filter((sid) => guests[sid.replace(/^\w+:/, "")] === undefined);
