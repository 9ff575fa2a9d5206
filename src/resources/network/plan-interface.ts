import { type Attributes, alternatives, type PlanContext, type PlanDeleteContext, type Session } from "#kit";
import { cutReason } from "./own-connection.ts";
import { refuseSecondAddress } from "./second-address.ts";
import { membersOf, networkOf } from "./staged-network.ts";

type Values = Readonly<Record<string, unknown>>;

/** Interfaces of a node: those that exist, overlaid with those that this run plans. */
async function interfacesOf(api: Session, node: string): Promise<Map<string, Values>> {
  const { interfaces } = await networkOf(api, node);
  return new Map([...interfaces.map((one): [string, Values] => [one.iface ?? "", one]), ...plannedOn(api, node)]);
}

const plannedOn = (api: Session, node: string): Map<string, Values> =>
  api.store.keep(`planned interfaces of ${node}`, () => new Map());

type Reported = PlanContext<Attributes, object, Session>["report"];

/** Fills in what the name says, and refuses what the node cannot have. */
export async function planInterface<A extends Attributes>(
  context: PlanContext<A, object, Session>,
  api: Session,
): Promise<void> {
  const { prior, config, changes, report } = context;
  const given = config as Values;
  planDefaults(context as unknown as PlanContext<Attributes, object, Session>);
  const { node, name } = given;
  if (typeof node !== "string" || typeof name !== "string") return;
  const { nodes } = await api.inventory.snapshot();
  if (nodes.has(node))
    await refuseSecondAddress(context as Parameters<typeof refuseSecondAddress>[0], api, { node, name });
  if (prior !== null && changes.size === 0) return;
  if (given["bridge"] || given["ovs_bridge"]) api.planned.add("bridge", name);
  plannedOn(api, node).set(name, { iface: name, ...memberLists(given), ...gatewaysOf(given) });
  if (!nodes.has(node)) return;
  await checkMembers(api, report, node, name, given);
  await checkCarrier(api, report, { node, own: name, name: carrierOf(name, given) });
  if (given["allow_disconnect"] !== true) {
    const reason = await cutReason(api, node, name, prior === null ? null : (prior as Values), given);
    if (reason !== null)
      report.error(
        null,
        "Connection to the node at risk",
        `${reason} Set \`allow_disconnect = true\` to do it all the same.`,
      );
  }
}

function planDefaults({ prior, config, set }: PlanContext<Attributes, object, Session>): void {
  const given = config as Values;
  if (prior !== null) return;
  if (given["autostart"] === null && !given["eth"] && !given["ovs_port"]) set(["autostart"], true);
  const vlan = given["vlan"] as Values | null | undefined;
  const [, parent, tag] = /^(\S+)\.(\d+)$/.exec(String(given["name"])) ?? [];
  const named = tag ?? /^vlan(\d+)$/.exec(String(given["name"]))?.[1];
  if (vlan?.["raw_device"] === null && parent !== undefined) set(["vlan", "raw_device"], parent);
  if (vlan?.["id"] === null && named !== undefined) set(["vlan", "id"], Number(named));
}

/** By PVE's names. */
function memberLists(given: Values): Values {
  const listed = (type: string, member: string): string => {
    const items = (given[type] as Values | null | undefined)?.[member];
    return Array.isArray(items) ? items.join(" ") : "";
  };
  return {
    bridge_ports: listed("bridge", "ports"),
    slaves: listed("bond", "slaves"),
    ovs_ports: listed("ovs_bridge", "ports"),
    ovs_bonds: listed("ovs_bond", "slaves"),
  };
}

function gatewaysOf(given: Values): Values {
  const gateway = (version: string) => (given[version] as Values | null | undefined)?.["gateway"];
  return { gateway: gateway("ipv4") ?? undefined, gateway6: gateway("ipv6") ?? undefined };
}

const members = [
  { type: "bridge", member: "ports" },
  { type: "bond", member: "slaves" },
  { type: "ovs_bridge", member: "ports" },
  { type: "ovs_bond", member: "slaves" },
] as const;

/** Refuses a name that no interface of the node has, and that the same plan gives to none. */
async function requireInterface(
  api: Session,
  report: Reported,
  { node, name, own, path }: { node: string; name: string; own: string; path: readonly string[] },
): Promise<void> {
  const all = await interfacesOf(api, node);
  if (all.has(name) || (await api.planned.includes("interface", `${node}/${name}`))) return;
  const detail = `Node ${node} has no interface \`${name}\`. ${alternatives(name, new Set([...all.keys()].filter((other) => other !== own)))}`;
  report.error(path, "No such interface", detail);
}

/** The interface that carries a VLAN, as far as it is known. */
function carrierOf(name: string, { vlan }: Values): string | null {
  if (!vlan) return null;
  const { raw_device: given } = vlan as Values;
  return typeof given === "string" ? given : given === null ? (/^(\S+)\.\d+$/.exec(name)?.[1] ?? null) : null;
}

/** Server side: pve-common `src/PVE/Network/Interfaces.pm`, "unable to find parent". */
async function checkCarrier(
  api: Session,
  report: Reported,
  { node, own, name }: { node: string; own: string; name: string | null },
): Promise<void> {
  if (name === null) return;
  const path = ["vlan", "raw_device"];
  await requireInterface(api, report, { node, name, own, path });
  const kind = (await interfacesOf(api, node)).get(name)?.["type"];
  if (kind === undefined || ["eth", "bond", "bridge", "vlan"].includes(String(kind))) return;
  const detail = `\`${name}\` of node ${node} is of type \`${kind}\`: network cards, bonds, bridges and other VLANs carry a VLAN. For Open vSwitch, use \`ovs_int_port\` with \`vlan\`.`;
  report.error(path, "Not for a VLAN", detail);
}

async function checkMembers(api: Session, report: Reported, node: string, name: string, given: Values): Promise<void> {
  const all = await interfacesOf(api, node);
  for (const { type, member } of members) {
    const listed = (given[type] as Values | null | undefined)?.[member];
    for (const port of Array.isArray(listed) ? (listed as unknown[]) : []) {
      if (typeof port !== "string") continue;
      const path = [type, member];
      // A bridge makes VLANs among its ports itself, such as `eno1.20`.
      const needed = type === "bridge" ? port.replace(/\.\d+$/, "") : port;
      if (!all.has(port)) await requireInterface(api, report, { node, name: needed, own: name, path });
      const kind = all.get(port)?.["type"];
      if (type === "bond" && kind !== undefined && kind !== "eth" && kind !== "bond") {
        const detail = `\`${port}\` of node ${node} is of type \`${kind}\`, and a bond takes network cards and other bonds only.`;
        report.error(path, "Not for a bond", detail);
      }
      const user = [...all].find(([other, one]) => other !== name && membersOf(one).includes(port));
      if (user !== undefined) {
        report.error(path, "Interface in use", `\`${port}\` belongs to \`${user[0]}\` of node ${node} already.`);
      }
    }
  }
  for (const [version, option] of [
    ["ipv4", "gateway"],
    ["ipv6", "gateway6"],
  ] as const) {
    const gateway = (given[version] as Values | null | undefined)?.["gateway"];
    const other = gateway ? [...all].find(([one, found]) => one !== name && found[option]) : undefined;
    if (other === undefined) continue;
    const detail = `Interface \`${other[0]}\` of node ${node} has the default gateway ${other[1][option]}, and a node has one.`;
    report.error([version, "gateway"], "Second default gateway", detail);
  }
}

export async function planRemoval<A extends Attributes>(
  { id, state, report }: PlanDeleteContext<A, "node" | "name", object, Session>,
  api: Session,
): Promise<void> {
  const { node, name } = id as unknown as { node: string; name: string };
  const before = state as Values;
  if (before["allow_disconnect"] === true) return;
  const reason = await cutReason(api, node, name, before, null);
  if (reason === null) return;
  const detail = `${reason} Set \`allow_disconnect = true\` and apply that first, to do it all the same.`;
  report.error(null, "Connection to the node at risk", detail);
}
