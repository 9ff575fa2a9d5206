import { enumerate, nearNames } from "#kit";
import type { Fields } from "../export/reader.ts";
import { UsageError } from "../run-command.ts";
import type { Adopted } from "./collect.ts";

/** What of the cluster is wanted. */
export interface Filters {
  readonly area?: string | undefined;
  readonly node?: string | undefined;
  readonly pool?: string | undefined;
  /** `prod,web` */
  readonly tags?: string | undefined;
}

export const areas = "access backup cluster containers firewall nodes sdn storage"
  .split(" ")
  .concat("virtual machines");

/** An area may be written as its file is called. */
export function areaFilter(text: string | undefined): (area: string) => boolean {
  if (text === undefined) return () => true;
  const wanted = text.split(",").map((area) => area.trim().toLowerCase().replaceAll(/[_-]/g, " "));
  const unknown = wanted.find((area) => !areas.includes(area));
  if (unknown !== undefined) throw new UsageError(`--area must be of ${areas.join(", ")}, not '${unknown}'.`);
  return (area) => wanted.includes(area.toLowerCase());
}

const words = (tags: string | undefined): string[] => tags?.split(/[,;\s]+/).filter(Boolean) ?? [];

/** A name that nothing has is a typing mistake: it must not look like an empty cluster. */
export function requireKnown({ node, pool, tags }: Filters, seed: Fields): void {
  const namesIn = (list: string, member: string) =>
    ((seed[list] ?? []) as readonly Fields[]).map((one) => String(one[member]));
  if (node !== undefined) requireOne("node", "--node", node, namesIn("nodes", "name"));
  if (pool !== undefined) requireOne("pool", "--pool", pool, namesIn("pools", "poolid"));
  const tagged = ((seed["guests"] ?? []) as readonly Fields[]).flatMap(({ config }) =>
    words(String((config as Fields)["tags"] ?? "")),
  );
  for (const tag of words(tags)) requireOne("tag", "--tags", tag, tagged);
}

const mostNames = 10;

function requireOne(noun: string, option: string, wanted: string, names: readonly string[]): void {
  if (names.includes(wanted)) return;
  const near = nearNames(wanted, names);
  const known = near.length > 0 ? near : [...new Set(names)].sort().slice(0, mostNames);
  const there = known.length === 0 ? `The cluster has no ${noun} that you may see.` : `There is ${enumerate(known)}.`;
  throw new UsageError(`${option}: no ${noun} '${wanted}' is visible. ${there}`);
}

/** Filters by pool and tag are about guests, and the pool itself; other objects have neither. */
export function isSelected({ type, all }: Adopted, { node, pool, tags }: Filters): boolean {
  const own = (all["tags"] ?? []) as readonly unknown[];
  const hasNode = node === undefined || all["node"] === node;
  const hasPool = pool === undefined || all["pool"] === pool || (type === "proxmox_pool" && all["id"] === pool);
  return hasNode && hasPool && words(tags).every((tag) => own.includes(tag));
}
