import { createHash } from "node:crypto";
import { die } from "../core/kernel/failure.ts";
import { namedFormat } from "../core/schema/format.ts";
import { parseNetwork } from "../core/schema/ip-address.ts";
import { isIPv4, isIPv6 } from "../core/schema/network-formats.ts";
import { parsePropertyString, propertyFormat } from "../core/schema/property-string.ts";
import { integer, string } from "../core/schema/schema.ts";
import type { SdnConfig } from "../core/world/sdn.ts";

/*
 * sdn/prefix-lists.cfg: pve-network `src/PVE/Network/SDN/PrefixLists.pm`, proxmox-ve-rs
 * `proxmox-ve-config/src/sdn/prefix_list.rs`.
 */

type Sections = SdnConfig["prefixLists"];

/** An entry as the API answers it alone. */
export interface PrefixEntry {
  action: string;
  prefix: string;
  le?: number;
  ge?: number;
  seq: number;
}

const generated = ["only_default", "only_default_v6", "loopbacks_ips"];
export const listName = /^[A-Za-z0-9][A-Za-z0-9_-]{0,30}[A-Za-z0-9]?\n?$/;

export const prefixListIdFormat = namedFormat("pve-sdn-prefix-list-id", (value) => {
  if (generated.includes(value)) {
    die(`prefix list ID '${value}' is currently reserved and cannot be used`);
  }
  if (!listName.test(value)) {
    die(`prefix list ID '${value}' contains illegal characters`);
  }
});

/** Unlike `CIDR`, this has a mask of any length. */
export const fullRangeCidrFormat = namedFormat("FullRangeCIDR", (value) => {
  const [, address = "", bits = ""] = /^(.*)\/(\d+)\n?$/.exec(value) ?? [];
  const longest = isIPv4(address) ? 32 : isIPv6(address) ? 128 : -1;
  if (bits === "" || Number(bits) > longest) {
    die("value does not look like a valid CIDR network");
  }
});

const length = integer({ optional: true, minimum: 0, maximum: 128 });

export const newEntry = {
  action: string({ enum: ["permit", "deny"] }),
  prefix: string({ format: fullRangeCidrFormat }),
  ge: length,
  le: length,
  seq: integer({ optional: true, minimum: 1, maximum: 4294967295 }),
};

export const changedEntry = {
  ...newEntry,
  action: string({ optional: true, enum: ["permit", "deny"] }),
  prefix: string({ optional: true, format: fullRangeCidrFormat }),
};

export const newEntryFormat = propertyFormat(newEntry);
export const changedEntryFormat = propertyFormat(changedEntry);

/** mask <= ge <= le <= length of an address. */
function checkLengths({ prefix, ge, le }: Omit<PrefixEntry, "seq">): void {
  const network = parseNetwork(prefix);
  const mask = network?.prefix ?? 0;
  const longest = network?.version === 6 ? 128 : 32;
  for (const [sign, bound] of [
    ["<=", le],
    [">=", ge],
  ] as const) {
    if (bound !== undefined && bound > longest) {
      die(`Prefix ${sign} must not be greater than ${longest}`);
    }
    if (bound !== undefined && bound < mask) {
      die(`Prefix ${sign} must not be less than ${mask}`);
    }
  }
  if (ge !== undefined && le !== undefined && ge > le) {
    die(`Prefix >= (${ge}) must not be greater than Prefix <= (${le})`);
  }
}

type Given = Partial<PrefixEntry>;

/** A number that was left out is five more than the highest one. */
export function addEntry(entries: readonly PrefixEntry[], { action, prefix, ge, le, seq }: Given): PrefixEntry[] {
  if (action === undefined || prefix === undefined) {
    die(`error: missing field \`${action === undefined ? "action" : "prefix"}\``);
  }
  const number = seq ?? Math.max(0, ...entries.map((one) => one.seq)) + 5;
  const entry = {
    action,
    prefix,
    ...(le !== undefined && { le }),
    ...(ge !== undefined && { ge }),
    seq: number,
  };
  checkLengths(entry);
  if (entries.some((one) => one.seq === number)) {
    die(`entry with sequence number ${number} already exists!`);
  }
  return [...entries, entry];
}

export const printEntry = ({ action, prefix, le, ge, seq }: PrefixEntry): string =>
  [
    `action=${action}`,
    `prefix=${prefix}`,
    ...(le === undefined ? [] : [`le=${le}`]),
    ...(ge === undefined ? [] : [`ge=${ge}`]),
    `seq=${seq}`,
  ].join(",");

export function parseEntry(text: string): Given {
  const { action, prefix, ge, le, seq } = parsePropertyString(changedEntryFormat, text);
  return {
    ...(action !== undefined && { action }),
    ...(prefix !== undefined && { prefix }),
    ...(ge !== undefined && { ge: Number(ge) }),
    ...(le !== undefined && { le: Number(le) }),
    ...(seq !== undefined && { seq: Number(seq) }),
  };
}

export const numbered = (texts: readonly string[]): string[] =>
  texts.reduce<PrefixEntry[]>((entries, text) => addEntry(entries, parseEntry(text)), []).map(printEntry);

export const entriesOf = (sections: Sections, id: string): PrefixEntry[] =>
  ([sections[id]?.options["entries"] ?? []].flat() as string[]).map((text) => parseEntry(text) as PrefixEntry);

/** Lists by id, as the API answers them; one without entries has no such member. */
export const describeLists = (sections: Sections): Record<string, Record<string, unknown>> =>
  Object.fromEntries(
    Object.keys(sections)
      .sort()
      .map((id) => {
        const entries = entriesOf(sections, id).map(printEntry);
        return [id, { id, type: "prefix-list", ...(entries.length > 0 && { entries }) }];
      }),
  );

/** SHA-256 of the whole file. */
export const sectionsHash = (sections: Sections): string =>
  createHash("sha256").update(JSON.stringify(sections)).digest("hex");

/** Why a list cannot be removed. */
export function userOfList({ fabrics, routeMaps }: SdnConfig, id: string): string | undefined {
  const fabric = Object.keys(fabrics).find((key) => fabrics[key]?.options["route_filter"] === id);
  if (fabric !== undefined) {
    return `prefix list ${id} is still referenced by fabric ${fabric}`;
  }
  const names = (texts: readonly string[]) =>
    texts.some((text) => /^key=ip6?-(?:address|next-hop)-prefix-list,/.test(text) && text.endsWith(`,value=${id}`));
  const entry = Object.values(routeMaps).find(({ options }) => names([options["match"] ?? []].flat()));
  return entry === undefined
    ? undefined
    : `prefix list ${id} is still referenced by route map entry ${entry.options["route-map-id"]} #${entry.options["order"]}`;
}
