import {
  bool,
  type Desired,
  enumerate,
  found,
  getNode,
  int,
  list,
  map,
  nullable,
  type Report,
  set,
  string,
} from "#kit";
import type { InventoryGuest } from "#pve";
import { addressOf } from "../address.ts";
import type { GuestBase } from "../base.ts";
import { addressOutputs } from "../outputs.ts";
import { guestFilters, guestMatcher } from "./filters.ts";
import type { GuestReader, ReaderContext } from "./reader.ts";
import { warnOfBlindness } from "./visible.ts";

/** One guest in a list. */
export const listedGuest = {
  vmid: found(int(), "VMID."),
  name: found(nullable(string()), "Name, if it has one."),
  node: found(string(), "Node it is on."),
  status: found(string(), "`running`, `stopped` …"),
  template: found(bool(), "Whether it is a template."),
  tags: found(set(string()), "Tags."),
  pool: found(nullable(string()), "Resource pool it is in, if the caller may see that."),
  ip_addresses: found(
    nullable(map(list(string()))),
    "Addresses of each network card, by slot; null unless `addresses` is given.",
  ),
  ipv4_address: found(nullable(string()), "First routable IPv4 address."),
  ipv6_address: found(nullable(string()), "First routable IPv6 address."),
} as const;

/** The attributes of a data source of many guests: filters, and what each guest has by its name. */
export const guestsAttributes = ({ noun }: Pick<GuestBase, "noun">) =>
  ({
    ...guestFilters(noun),
    vmids: found(map(int()), `VMID by name; of several ${noun}s with one name, the lowest.`),
    node_names: found(map(string()), `Node by name of the ${noun}, likewise.`),
    ipv4_addresses: found(
      map(string()),
      `First routable IPv4 address by name of the ${noun}, for those that have one.`,
    ),
    ipv6_addresses: found(
      map(string()),
      `First routable IPv6 address by name of the ${noun}, for those that have one.`,
    ),
  }) as const;

interface Reading extends ReaderContext {
  readonly config: Desired<ReturnType<typeof guestFilters>> & { readonly addresses: string | null };
  readonly report: Pick<Report, "warning">;
}

/** The guests that match. `select` may leave some of them out. */
export async function readGuests(
  kind: GuestReader,
  context: Reading,
  select: (guests: InventoryGuest[]) => Promise<InventoryGuest[]> = async (guests) => guests,
) {
  const { api, config, report } = context;
  if (config.node !== null) await getNode(api, config.node);
  api.inventory.forgetIfChanged();
  const all = await api.inventory.list(kind.type);
  await warnOfBlindness(kind, report, api, all);
  warnOfSilence(kind, report, all, config.node);
  const matches = all.filter(guestMatcher(config)).sort((a, b) => a.vmid - b.vmid);
  const guests = await Promise.all((await select(matches)).map((one) => describe(kind, context, one)));
  return {
    vmids: byName(guests, ({ vmid }) => vmid),
    node_names: byName(guests, ({ node }) => node),
    ipv4_addresses: byName(guests, ({ ipv4_address }) => ipv4_address),
    ipv6_addresses: byName(guests, ({ ipv6_address }) => ipv6_address),
    guests,
  };
}

function warnOfSilence(
  kind: GuestBase,
  report: Pick<Report, "warning">,
  guests: readonly InventoryGuest[],
  node: string | null,
): void {
  const silent = guests.filter((one) => one.isStale && (node === null || one.node === node));
  if (silent.length === 0) return;
  report.warning(
    null,
    "Some nodes do not answer",
    `${kind.title}s on ${enumerate(silent.map((one) => one.node))} are chosen and shown by the last data that the cluster received; after five minutes these have neither name nor status.`,
  );
}

async function describe(kind: GuestReader, context: Reading, one: InventoryGuest) {
  const { api, signal, config: wanted } = context;
  const { vmid, name = null, node, status, isTemplate: template, tags, pool = null } = one;
  const none = { ip_addresses: null, ipv4_address: null, ipv6_address: null };
  const known = { vmid, name, node, status, template, tags, pool };
  if (wanted.addresses === null || one.isStale) return { ...known, ...none };
  const config = await kind.calls(api).findConfig(addressOf(one), { signal });
  if (config === null) return { ...known, ...none };
  const draft = kind.draft(api, config.options);
  const addresses = await kind.addressesOf(context, one, draft, wanted.addresses !== "configured");
  return { ...known, ...addressOutputs(addresses, kind.configuredAddresses(draft)) };
}

type Described = Awaited<ReturnType<typeof describe>>;

/** A value of each named guest. The list is ordered by VMID: the first of a name wins, so it is entered last. */
function byName<T>(guests: readonly Described[], of: (guest: Described) => T | null): Record<string, T> {
  const entries = guests.flatMap((one) => {
    const value = of(one);
    return one.name === null || value === null ? [] : [[one.name, value] as const];
  });
  return Object.fromEntries(entries.reverse());
}
