import { defineCrud, each, int, map, matches, nested, oneOf, string } from "#kit";
import { networkAddress, parseNetwork } from "./addresses.ts";
import { listName } from "./names.ts";
import { findIn, sdnAttributes, staged } from "./staged.ts";

const path = "/cluster/sdn/prefix-lists/{id}";

interface Entry {
  readonly action: string;
  readonly prefix: string;
  readonly ge?: number | null;
  readonly le?: number | null;
}

const partsOf = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(text.split(",").map((part) => part.split("=", 2) as [string, string]));

const numberIn = (text: string | undefined): number | null => (text === undefined ? null : Number(text));

/** `action=permit,prefix=10.0.0.0/8,le=24,seq=10`, by `seq`. */
const entries = each<Readonly<Record<string, Entry>>>({
  parse: (items) =>
    Object.fromEntries(
      items.map((item) => {
        const { action = "", prefix = "", ge, le, seq = "" } = partsOf(item);
        return [seq, { action, prefix, ge: numberIn(ge), le: numberIn(le) }];
      }),
    ),
  print: (all) =>
    Object.entries(all)
      .sort(([one], [other]) => Number(one) - Number(other))
      .map(([seq, { action, prefix, ge, le }]) =>
        [
          `action=${action}`,
          `prefix=${prefix}`,
          ...(le == null ? [] : [`le=${le}`]),
          ...(ge == null ? [] : [`ge=${ge}`]),
          `seq=${seq}`,
        ].join(","),
      ),
});

const length = (doc: string) => ({ type: int({ min: 0, max: 128 }), mode: "optional", doc }) as const;

const sequence = matches(/^[1-9]\d{0,9}$/, "a number from 1 to 4294967295");
const reserved = ["only_default", "only_default_v6", "loopbacks_ips"];

/** What is wrong with the lengths of an entry: PVE requires mask <= ge <= le <= length of an address. */
function faultOf({ prefix, ge, le }: Partial<Entry>): string | null {
  const network = typeof prefix === "string" ? parseNetwork(prefix) : null;
  if (network === null) return null;
  const mask = Number(prefix?.split("/")[1]);
  const longest = network.version === 6 ? 128 : 32;
  const outside = Object.entries({ ge, le }).find(
    ([, value]) => typeof value === "number" && (value < mask || value > longest),
  );
  if (outside) return `\`${outside[0]} = ${outside[1]}\` must be from ${mask}, the length of ${prefix}, to ${longest}.`;
  const isCrossed = typeof ge === "number" && typeof le === "number" && ge > le;
  return isCrossed ? `\`ge = ${ge}\` must not be greater than \`le = ${le}\`.` : null;
}

/** `proxmox_sdn_prefix_list`. Server side: pve-network `src/PVE/API2/Network/SDN/PrefixLists.pm`, proxmox-ve-rs. */
export const sdnPrefixList = defineCrud({
  type: "proxmox_sdn_prefix_list",
  subcategory: "SDN",
  doc: "A list of networks that routes are compared with: by route maps (`proxmox_sdn_route_map_entry`) and by `route_filter` of fabrics. The first entry that fits decides, in the order of the numbers; a route that fits none is denied. Since Proxmox VE 9.1.11. All changes of a run to the SDN take effect together, with one commit.",
  noun: "SDN prefix list",
  path,
  file: "SDN",
  identity: ["id"],
  isDeleteRepeated: true,
  plannedAs: "prefix_list",
  ...staged,
  find: findIn(path, "id"),
  attributes: {
    id: {
      type: string({ check: listName }),
      mode: "required",
      wire: "id",
      replace: true,
      doc: "Name of the list, of 1 to 32 letters, digits, `-` and `_`.",
    },
    entries: {
      type: map(
        nested({
          action: {
            type: oneOf(["permit", "deny"]),
            mode: "required",
            doc: "What happens to a route that fits: `permit` or `deny`.",
          },
          prefix: {
            type: string({ check: networkAddress }),
            mode: "required",
            doc: "Network, such as `10.0.0.0/8`. Without `ge` and `le`, a route has to have the same length.",
          },
          ge: length("Shortest length of a route that fits."),
          le: length("Greatest length of a route that fits."),
        }),
        { min: 1, keys: sequence },
      ),
      mode: "optional",
      wire: "entries",
      repeated: true,
      as: entries,
      doc: 'The entries by their number, such as `{ 10 = { action = "permit", prefix = "10.0.0.0/8", le = 24 } }`. Left out: none.',
    },
    ...sdnAttributes,
  },

  validate({ config, report }) {
    if (typeof config.id === "string" && reserved.includes(config.id)) {
      report.error(
        "id",
        "Name is reserved",
        `Proxmox VE generates the prefix list \`${config.id}\`: choose another name.`,
      );
    }
    for (const [seq, entry] of Object.entries(config.entries ?? {})) {
      const fault = entry ? faultOf(entry as Partial<Entry>) : null;
      if (fault !== null) report.error(["entries", seq], "Invalid length", fault);
    }
  },
});
