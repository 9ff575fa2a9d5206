import type { Attributes, PlanContext, Report, Session } from "#kit";
import { isInside, overlap, parseAddress, parseNetwork } from "./addresses.ts";
import { editedObjects, fabricsOf } from "./pending.ts";

type Seen = Readonly<Record<string, unknown>>;

interface Fabrics {
  readonly fabrics: Map<string, Seen>;
  /** By `fabric/node`. */
  readonly nodes: Map<string, Seen>;
}

const plannedIn = (api: Session): Fabrics =>
  api.store.keep("planned fabrics", () => ({ fabrics: new Map(), nodes: new Map() }));

/** Fabrics and their nodes that exist, overlaid with those that this run has planned. */
async function fabricsAfter(api: Session): Promise<Fabrics> {
  const listed = await fabricsOf(api);
  const planned = plannedIn(api);
  const nodeKey = ({ fabric_id: fabric, node_id: node }: Seen) => `${fabric}/${node}`;
  return {
    fabrics: new Map([
      ...editedObjects(listed.fabrics).map((one): [string, Seen] => [String(one["id"]), one]),
      ...planned.fabrics,
    ]),
    nodes: new Map([
      ...editedObjects(listed.nodes).map((one): [string, Seen] => [nodeKey(one), one]),
      ...planned.nodes,
    ]),
  };
}

const families = [
  { ip: "ip", prefix: "ip_prefix" },
  { ip: "ip6", prefix: "ip6_prefix" },
] as const;

interface Fabric {
  readonly id?: string;
  readonly ip_prefix?: string | null;
  readonly ip6_prefix?: string | null;
  readonly ospf?: { readonly area?: string } | null;
}

/** A number and the address of the same value are the same area. */
const areaOf = (text: unknown): string => {
  const area = String(text);
  return /^\d+$/.test(area) ? area : String(parseAddress(area)?.value ?? area);
};

/** Refuses what fabrics cannot share. Server side: proxmox-ve-rs, `FabricConfig`. */
export async function planFabric<A extends Attributes>(
  { config, prior, changes, report }: PlanContext<A, object, Session>,
  api: Session,
): Promise<void> {
  const { id, ip_prefix, ip6_prefix, ospf } = config as unknown as Fabric;
  if (id === undefined) return;
  const area = ospf?.area;
  const known = Object.entries({ ip_prefix, ip6_prefix, area }).filter(([, value]) => value);
  plannedIn(api).fabrics.set(id, { id, ...Object.fromEntries(known) });
  if (prior !== null && changes.size === 0) return;
  const others = [...(await fabricsAfter(api)).fabrics].filter(([other]) => other !== id);
  for (const { prefix } of families) {
    const own = parseNetwork(String({ ip_prefix, ip6_prefix }[prefix] ?? ""));
    const taken = others.find(([, one]) => {
      const there = parseNetwork(String(one[prefix] ?? ""));
      return own !== null && there !== null && overlap(there, own);
    });
    if (taken === undefined) continue;
    const detail = `${{ ip_prefix, ip6_prefix }[prefix]} shares addresses with ${taken[1][prefix]}, the prefix of fabric \`${taken[0]}\`.`;
    report.error(prefix, "Prefixes overlap", detail);
  }
  const twin = area && others.find(([, one]) => one["area"] !== undefined && areaOf(one["area"]) === areaOf(area));
  if (!twin) return;
  report.error(["ospf", "area"], "Area taken", `Fabric \`${twin[0]}\` has area ${area} already.`);
}

interface FabricNode {
  readonly fabric?: string;
  readonly node?: string;
  readonly ip?: string | null;
  readonly ip6?: string | null;
  readonly interfaces?: Readonly<Record<string, unknown>> | null;
}

const interfacesIn = ({ interfaces }: Seen): string[] =>
  ((interfaces ?? []) as string[]).flatMap((text) => /(?:^|,)name=([^,]+)/.exec(text)?.[1] ?? []);

/** Refuses interfaces that another fabric has, and addresses that do not fit the fabric. */
export async function planFabricNode<A extends Attributes>(
  { config, prior, changes, report }: PlanContext<A, object, Session>,
  api: Session,
): Promise<void> {
  const given = config as unknown as FabricNode;
  const { fabric, node, ip, ip6 } = given;
  if (fabric === undefined || node === undefined) return;
  const names = Object.keys(given.interfaces ?? {});
  const planned = { fabric_id: fabric, node_id: node, interfaces: names.map((name) => `name=${name}`) };
  plannedIn(api).nodes.set(`${fabric}/${node}`, { ...planned, ...(ip && { ip }), ...(ip6 && { ip6 }) });
  if (prior !== null && changes.size === 0) return;
  const { fabrics, nodes } = await fabricsAfter(api);
  const others = [...nodes.values()].filter((one) => one["fabric_id"] !== fabric || one["node_id"] !== node);
  for (const name of names) {
    const user = others.find((one) => one["node_id"] === node && interfacesIn(one).includes(name));
    if (user === undefined) continue;
    const detail = `Interface \`${name}\` of node ${node} is in fabric \`${user["fabric_id"]}\` already, and an interface is in one fabric only.`;
    report.error(["interfaces", name], "Interface in use", detail);
  }
  const members = others.filter((one) => one["fabric_id"] === fabric);
  checkAddresses(report, { fabric, ip, ip6 }, fabrics.get(fabric), members);
}

function checkAddresses(
  report: Pick<Report, "error">,
  { fabric, ...addresses }: { [K in "fabric" | "ip" | "ip6"]: FabricNode[K] | undefined },
  found: Seen | undefined,
  members: readonly Seen[],
): void {
  for (const { ip, prefix } of families) {
    const text = addresses[ip];
    const network = parseNetwork(String(found?.[prefix] ?? ""));
    const address = parseAddress(text ?? "");
    if (text === null && network !== null) {
      const detail = `Fabric \`${fabric}\` has the prefix ${found?.[prefix]}: each of its nodes needs an address of it.`;
      report.error(ip, "Address needed", detail);
    }
    if (address === null || found === undefined) continue;
    if (network === null || !isInside(network, address)) {
      const has = network === null ? `has no \`${prefix}\`` : `has the prefix ${found[prefix]}`;
      report.error(ip, "Address outside of the fabric", `Fabric \`${fabric}\` ${has}, and ${text} is not in it.`);
    }
    const twin = members.find((one) => parseAddress(String(one[ip] ?? ""))?.value === address.value);
    if (twin !== undefined) {
      report.error(ip, "Address taken", `Node ${twin["node_id"]} has ${text} in fabric \`${fabric}\` already.`);
    }
  }
}
