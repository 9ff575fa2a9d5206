import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { isPveError, type Session } from "#kit";
import { networkOf } from "./staged-network.ts";

type Values = Readonly<Record<string, unknown>>;

/** Addresses by which nodes are reached: those of the endpoints, and those by which the cluster knows its members. */
function ownAddresses(api: Session): Promise<ReadonlySet<string>> {
  return api.store.remember("addresses of nodes", async () => {
    const hosts = api.settings.endpoints.map(({ hostname }) => hostname.replace(/^\[|\]$/g, ""));
    const found = await Promise.all(hosts.map((host) => (isIP(host) ? [host] : addressesOf(host))));
    const members = await api.cluster.listMembers().catch((reason: unknown) => {
      if (isPveError(reason, "permission")) return [];
      throw reason;
    });
    return new Set([...found.flat(), ...members.flatMap(({ ip }) => ip ?? [])]);
  });
}

const addressesOf = async (host: string): Promise<string[]> =>
  (await lookup(host, { all: true }).catch(() => [])).map(({ address }) => address);

/** Settings whose change takes an interface down for a moment, or for good. */
const risky: Readonly<Record<string, readonly string[]>> = {
  bridge: ["ports", "vlan_aware", "vids"],
  bond: ["slaves", "mode", "primary"],
  vlan: ["raw_device", "id"],
  ovs_bridge: ["ports"],
  ovs_bond: ["slaves", "mode", "bridge", "vlan"],
  ovs_int_port: ["bridge", "vlan"],
  ovs_port: ["bridge", "vlan"],
};

/** Why a change may cut the connection to the node; null if it does not. `after` is null for a removal. */
export async function cutReason(
  api: Session,
  node: string,
  name: string,
  before: Values | null,
  after: Values | null,
): Promise<string | null> {
  if (before === null) return null;
  const { interfaces } = await networkOf(api, node);
  const own = await ownAddresses(api);
  const byName = new Map(interfaces.map((one): [string, Values] => [one.iface ?? "", one]));
  for (const [holder, one] of byName) {
    const address = [one["address"], one["address6"]].find((text) => own.has(String(text)));
    if (address === undefined || !carriersOf(byName, holder).has(name)) continue;
    const where = holder === name ? `\`${name}\` has` : `\`${name}\` carries \`${holder}\`, which has`;
    const what = `${where} ${address}, by which node ${node} is reached`;
    if (after === null) return `Interface ${what}; without it the node does not answer any more.`;
    if (holder === name && !keepsAddress(after, String(address)))
      return `Interface ${what}, and the change takes it away.`;
    const changed = changedSettings(before, after);
    if (changed.length > 0) return `Interface ${what}, and the change of ${changed.join(", ")} can interrupt it.`;
  }
  return null;
}

/** An interface and all below it. */
function carriersOf(byName: ReadonlyMap<string, Values>, name: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(name)) return seen;
  seen.add(name);
  const one = byName.get(name) ?? {};
  const below = ["bridge_ports", "slaves", "ovs_ports", "ovs_bonds", "vlan-raw-device", "ovs_bridge"].flatMap(
    (option) => String(one[option] ?? "").split(/[\s,;]+/),
  );
  for (const next of below.filter(Boolean)) carriersOf(byName, next, seen);
  return seen;
}

const memberOf = (values: Values, block: string, name: string): unknown =>
  (values[block] as Values | null | undefined)?.[name];

function keepsAddress(after: Values, address: string): boolean {
  return ["ipv4", "ipv6"].some((version) => {
    const block = after[version] as Values | null | undefined;
    const cidr = block?.["address"];
    // What is not known yet may be the same.
    return block === undefined || (block !== null && (cidr === undefined || String(cidr).split("/")[0] === address));
  });
}

function changedSettings(before: Values, after: Values): string[] {
  const text = (value: unknown) => JSON.stringify(Array.isArray(value) ? [...value].sort() : (value ?? null));
  const differs = (block: string, name: string) =>
    after[block] !== undefined && text(memberOf(before, block, name)) !== text(memberOf(after, block, name));
  const inTypes = Object.entries(risky).flatMap(([block, names]) =>
    names.filter((name) => differs(block, name)).map((name) => `\`${block}.${name}\``),
  );
  const gateways = ["ipv4", "ipv6"]
    .filter((version) => differs(version, "gateway"))
    .map((version) => `\`${version}.gateway\``);
  return [...inTypes, ...gateways];
}
