import { defineCrud, int, list, nested, oneOf, string } from "#kit";
import type { ConfigObject } from "#pve";
import { listPending } from "./list-pending.ts";
import { listName } from "./names.ts";
import { editedObject, editedObjects } from "./pending.ts";
import { exitKeys, faultOfPair, matchKeys, setKeys } from "./route-map-keys.ts";
import { sdnAttributes, staged } from "./staged.ts";

const path = "/cluster/sdn/route-maps/entries/{route-map-id}/entry/{order}";
const collection = "/cluster/sdn/route-maps/entries";

interface Pair {
  readonly key: string;
  readonly value?: string | null;
}

const parsePair = (text: string): Pair => {
  const [, key = "", value] = /^key=([^,]+)(?:,value=(.*))?$/s.exec(text) ?? [];
  return { key, value: value ?? null };
};

const printPair = ({ key, value }: Pair): string => (value == null ? `key=${key}` : `key=${key},value=${value}`);

/** `key=metric,value=10` */
const pairs = {
  parse: (items: unknown) => (items as readonly string[]).map(parsePair),
  print: (all: unknown) => (all as readonly Pair[]).map(printPair),
};

const pair = (keys: readonly [string, ...string[]], doc: string) =>
  nested({
    key: { type: oneOf(keys), mode: "required", doc },
    value: { type: string(), mode: "optional", doc: "Value, where the key has one." },
  });

const isOf = (key: Readonly<Record<string, string>>) => (one: ConfigObject) =>
  String(one["route-map-id"]) === key["route-map-id"] && String(one["order"]) === key["order"];

/** `proxmox_sdn_route_map_entry`. Server side: pve-network `src/PVE/API2/Network/SDN/RouteMaps.pm`, proxmox-ve-rs. */
export const sdnRouteMapEntry = defineCrud({
  type: "proxmox_sdn_route_map_entry",
  subcategory: "SDN",
  doc: "An entry of a route map, which controllers and fabrics of the SDN filter and change routes with. A route map exists while it has entries, and they are tried in their order. Since Proxmox VE 9.1.11. All changes of a run to the SDN take effect together, with one commit.",
  noun: "entry of an SDN route map",
  path,
  collection,
  file: "SDN",
  identity: ["route_map", "order"],
  isDeleteRepeated: true,
  ...staged,
  async find(api, key, { purpose, signal }) {
    const alone = () => api.objects("SDN", { path }).find(key, { signal });
    if (purpose === "proof" || purpose === "create" || purpose === "update") return alone();
    const listed = await listPending(api, collection);
    const one = listed.find((candidate) => isOf(key)({ ...candidate, ...candidate.pending }));
    if (one !== undefined) return editedObject(one);
    return purpose === "plan" ? null : alone();
  },
  async listAll(api, signal) {
    return editedObjects(await api.sdn.listPending(collection, {}, { signal }));
  },
  attributes: {
    route_map: {
      type: string({ check: listName }),
      mode: "required",
      wire: "route-map-id",
      replace: true,
      doc: "Name of the route map, of 1 to 32 letters, digits, `-` and `_`.",
    },
    order: {
      type: int({ min: 0, max: 65_535 }),
      mode: "required",
      wire: "order",
      replace: true,
      doc: "Place of the entry in the map: lower ones are tried first.",
    },
    action: {
      type: oneOf(["permit", "deny"]),
      mode: "required",
      wire: "action",
      doc: "What happens to a route that fits: `permit` or `deny`.",
    },
    match: {
      type: list(pair(matchKeys, "What of a route is compared."), { min: 1 }),
      mode: "optional",
      wire: "match",
      repeated: true,
      as: pairs,
      doc: "Conditions, all of which a route has to meet. Left out: every route fits.",
    },
    set: {
      type: list(pair(setKeys, "What of a route is changed."), { min: 1 }),
      mode: "optional",
      wire: "set",
      repeated: true,
      as: pairs,
      doc: "Changes of a route that fits. Left out: none.",
    },
    call: {
      type: string({ check: listName }),
      mode: "optional",
      wire: "call",
      doc: "Route map that is applied to a route that fits.",
    },
    exit_action: {
      type: nested({
        key: { type: oneOf(exitKeys), mode: "required", wire: "exit-action/key", doc: "Where evaluation goes on." },
        value: {
          type: int({ min: 0, max: 65_535 }),
          mode: "optional",
          wire: "exit-action/value",
          doc: "Order of the entry; not for `on-match-next`.",
        },
      }),
      mode: "optional",
      doc: "Where evaluation goes on after a route has fitted. Left out: it ends.",
    },
    ...sdnAttributes,
  },

  validate({ config, report }) {
    const { route_map: map, match, set, exit_action: exit } = config;
    if (typeof map === "string" && (/^pve_/.test(map) || /^(?:MAP_VTEP_(?:IN|OUT)|correct_src)$/.test(map))) {
      report.error(
        "route_map",
        "Name is reserved",
        `Proxmox VE generates the route map \`${map}\`: choose another name.`,
      );
    }
    for (const [name, all] of Object.entries({ match, set })) {
      for (const [index, one] of (all ?? []).entries()) {
        const fault = one ? faultOfPair(name as "match" | "set", one) : null;
        if (fault !== null) report.error([name, index, "value"], "Invalid value", fault);
      }
    }
    if (!exit || exit.key === undefined || exit.value === undefined) return;
    if ((exit.key === "on-match-next") !== (exit.value === null)) {
      const detail = "`on-match-next` has no `value`; `on-match-goto` and `continue` name the order of an entry in it.";
      report.error(["exit_action", "value"], "Invalid value", detail);
    }
  },
});
