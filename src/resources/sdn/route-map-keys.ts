import { listName } from "./names.ts";

/** Keys of conditions and of changes (proxmox-ve-rs: proxmox-ve-config/src/sdn/route_map.rs). */
export const matchKeys = [
  ...(["route-type", "vni", "ip-address-prefix-list", "ip6-address-prefix-list"] as const),
  ...(["ip-next-hop-prefix-list", "ip6-next-hop-prefix-list", "ip-next-hop-address", "ip6-next-hop-address"] as const),
  ...(["metric", "local-preference", "peer", "tag"] as const),
] as const;

export const setKeys = [
  ...(["ip-next-hop-peer-address", "ip-next-hop", "ip-next-hop-unchanged"] as const),
  ...(["ip6-next-hop-peer-address", "ip6-next-hop-prefer-global", "ip6-next-hop"] as const),
  ...(["local-preference", "tag", "weight", "metric", "src"] as const),
] as const;

export const exitKeys = ["on-match-goto", "on-match-next", "continue"] as const;

const withoutValue = /^(?:ip-next-hop-peer-address|ip-next-hop-unchanged|ip6-next-hop-(?:peer-address|prefer-global))$/;
const number = /^\d{1,10}$/;

const forms: Readonly<Record<string, readonly [form: RegExp, hint: string]>> = {
  "match route-type": [/^(?:ead|macip|multicast|es|prefix)$/, "`ead`, `macip`, `multicast`, `es` or `prefix`"],
  "match vni": [number, "a number"],
  "match metric": [number, "a number"],
  "match local-preference": [number, "a number"],
  "match tag": [/^(?:\d{1,10}|untagged)$/, "a number or `untagged`"],
  "set local-preference": [/^[+-]?\d{1,10}$/, "a number, or a change such as `+10`"],
  "set metric": [/^(?:[+-]?(?:\d{1,10}|rtt)|a?igp)$/, "a number, a change such as `+10`, `rtt`, `igp` or `aigp`"],
  "set tag": [/^(?:\d{1,10}|untagged)$/, "a number or `untagged`"],
  "set weight": [number, "a number"],
};

interface Pair {
  readonly key?: string | undefined;
  readonly value?: string | null | undefined;
}

/** What is wrong with the value of a condition or a change; null if nothing is, or it is not known yet. */
export function faultOfPair(kind: "match" | "set", { key, value }: Pair): string | null {
  if (key === undefined || value === undefined) return null;
  if (withoutValue.test(key)) return value === null ? null : `\`${key}\` has no value: remove it.`;
  if (value === null) return `\`${key}\` needs a \`value\`.`;
  if (key.endsWith("prefix-list")) {
    const fault = listName(value);
    return fault === undefined ? null : `\`${key}\` names a prefix list. ${fault}`;
  }
  const [form, hint] = forms[`${kind} ${key}`] ?? [];
  return form === undefined || form.test(value) ? null : `\`${key}\` must be ${hint}.`;
}
