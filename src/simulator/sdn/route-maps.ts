import { die } from "../core/kernel/failure.ts";
import { namedFormat } from "../core/schema/format.ts";
import { isIP, isIPv4, isIPv6 } from "../core/schema/network-formats.ts";
import { parsePropertyString, propertyFormat } from "../core/schema/property-string.ts";
import { array, integer, string } from "../core/schema/schema.ts";
import type { SdnConfig } from "../core/world/sdn.ts";
import { listName } from "./prefix-lists.ts";

/*
 * sdn/route-maps.cfg: pve-network `src/PVE/Network/SDN/RouteMaps.pm`, proxmox-ve-rs `proxmox-ve-config/src/sdn/route_map.rs`. A map
 * exists while it has entries; the section of an entry is `<map>_<order>`.
 */

type Sections = SdnConfig["routeMaps"];

export const routeMapIdFormat = namedFormat("pve-sdn-route-map-id", (value) => {
  if (value.startsWith("pve_") || ["MAP_VTEP_IN", "MAP_VTEP_OUT", "correct_src"].includes(value)) {
    die(`route map ID '${value}' is currently reserved and cannot be used`);
  }
  if (!listName.test(value)) {
    die(`route map ID '${value}' contains illegal characters`);
  }
});

const isNumber = (value: string) => /^\d+$/.test(value) && Number(value) <= 4294967295;
const isName = (value: string) => listName.test(value);
const isStep = (value: string) => isNumber(value.replace(/^[+-]/, ""));
const isTag = (value: string) => value === "untagged" || isNumber(value);

type Check = ((value: string) => boolean) | null;

/** Null: the key has no value. */
const matchValues: Readonly<Record<string, Check>> = {
  "route-type": (value) => ["ead", "macip", "multicast", "es", "prefix"].includes(value),
  vni: isNumber,
  "ip-address-prefix-list": isName,
  "ip6-address-prefix-list": isName,
  "ip-next-hop-prefix-list": isName,
  "ip6-next-hop-prefix-list": isName,
  "ip-next-hop-address": isIPv4,
  "ip6-next-hop-address": isIPv6,
  metric: isNumber,
  "local-preference": isNumber,
  peer: (value) => value !== "",
  tag: isTag,
};

const setValues: Readonly<Record<string, Check>> = {
  "ip-next-hop-peer-address": null,
  "ip-next-hop": isIPv4,
  "ip-next-hop-unchanged": null,
  "ip6-next-hop-peer-address": null,
  "ip6-next-hop-prefer-global": null,
  "ip6-next-hop": isIPv6,
  "local-preference": isStep,
  tag: isTag,
  weight: isNumber,
  metric: (value) => /^(?:[+-]?rtt|a?igp)$/.test(value) || isStep(value),
  src: isIP,
};

const pairFormat = (values: Readonly<Record<string, Check>>) =>
  propertyFormat({ key: string({ enum: Object.keys(values) }), value: string({ optional: true }) });

const matchFormat = pairFormat(matchValues);
const setFormat = pairFormat(setValues);
const exitFormat = propertyFormat({
  key: string({ enum: ["on-match-goto", "on-match-next", "continue"] }),
  value: integer({ optional: true, minimum: 0, maximum: 65535 }),
});

export const entryKey = {
  "route-map-id": string({ format: routeMapIdFormat }),
  order: integer({ minimum: 0, maximum: 65535 }),
};

export const entryOptions = {
  call: string({ optional: true, format: routeMapIdFormat }),
  "exit-action": string({ optional: true, format: exitFormat }),
  match: array(string({ format: matchFormat }), { optional: true }),
  set: array(string({ format: setFormat }), { optional: true }),
};

/** The Rust part checks each value by its key. */
function checkPair(kind: "match" | "set", text: string): string {
  const { key = "", value } = parsePropertyString(kind === "match" ? matchFormat : setFormat, text);
  const check = (kind === "match" ? matchValues : setValues)[key] ?? null;
  if (check !== null && value === undefined) {
    die("error: missing field `value`");
  }
  if (check !== null && !check(value ?? "")) {
    die(`error: invalid value '${value}' for '${key}'`);
  }
  return check === null ? `key=${key}` : `key=${key},value=${value}`;
}

interface Given {
  readonly action?: string | undefined;
  readonly call?: string | undefined;
  readonly "exit-action"?: string | undefined;
  readonly match?: readonly string[] | undefined;
  readonly set?: readonly string[] | undefined;
}

export function checkedOptions({ action, call, match, set, ...rest }: Given): Record<string, string | string[]> {
  const exit = rest["exit-action"];
  const parsed = exit === undefined ? undefined : parsePropertyString(exitFormat, exit);
  if (parsed !== undefined && parsed["key"] !== "on-match-next" && parsed["value"] === undefined) {
    die("error: missing field `value`");
  }
  const { key, value } = parsed ?? {};
  return {
    ...(action !== undefined && { action }),
    ...(call !== undefined && { call }),
    ...(key !== undefined && {
      "exit-action": key === "on-match-next" ? `key=${key}` : `key=${key},value=${Number(value)}`,
    }),
    ...(match !== undefined && { match: match.map((text) => checkPair("match", text)) }),
    ...(set !== undefined && { set: set.map((text) => checkPair("set", text)) }),
  };
}

/** Entries by `<map>_<order>`, as the API answers them. */
export const describeEntries = (sections: Sections): Record<string, Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(sections)
      .sort(([, a], [, b]) => {
        const [one, other] = [a, b].map(({ options }) => String(options["route-map-id"]));
        return one === other
          ? Number(a.options["order"]) - Number(b.options["order"])
          : String(one) < String(other)
            ? -1
            : 1;
      })
      .map(([key, { type, options }]) => [
        key,
        { match: [], set: [], ...options, order: Number(options["order"]), type },
      ]),
  );

export const hasEntries = (sections: Sections, map: string): boolean =>
  Object.values(sections).some(({ options }) => options["route-map-id"] === map);
