import type { Attributes, PlanContext, Session } from "#kit";
import { subnets, vnets, zones } from "./planned.ts";

interface Vnet {
  readonly id?: string;
  readonly zone?: string;
  readonly tag?: number | null;
  readonly vlan_aware?: boolean | null;
}

interface Fault {
  readonly at: "tag" | "vlan_aware" | "zone";
  readonly summary: string;
  readonly detail: string;
}

/** Refuses what the type of the zone does not allow. Server side: pve-network `src/PVE/Network/SDN/Zones/*Plugin.pm`. */
export async function planVnet<A extends Attributes>(
  { config, prior, changes, report }: PlanContext<A, object, Session>,
  api: Session,
): Promise<void> {
  const { id, zone, tag, vlan_aware } = config as unknown as Vnet;
  if (id === undefined || zone === undefined) return;
  api.planned.addToZone(id, zone);
  if (prior !== null && changes.size === 0) return;
  api.planned.add("bridge", id);
  vnets.plan(api, id, { vnet: id, zone, ...(tag && { tag }), ...(vlan_aware && { vlanaware: 1 }) });
  const type = (await zones.all(api)).get(zone)?.["type"];
  const before = prior as unknown as Vnet | null;
  const faults = [
    type === undefined || tag === undefined ? null : tagFault(String(type), zone, tag),
    vlan_aware && type === "evpn" ? evpnFault : null,
    await takenTag(api, { id, zone, tag, type: String(type) }),
    await subnetFault(api, id, { vlan_aware, isMoved: before !== null && before.zone !== zone }),
  ];
  for (const fault of faults) if (fault !== null) report.error(fault.at, fault.summary, fault.detail);
}

const evpnFault: Fault = {
  at: "vlan_aware",
  summary: "VLANs in an EVPN zone",
  detail: "A vnet of an `evpn` zone cannot be VLAN aware.",
};

function tagFault(type: string, zone: string, tag: number | null): Fault | null {
  const isVlan = type === "vlan" || type === "qinq";
  const at = "tag";
  if (type === "simple" && tag !== null) {
    const detail = `Zone \`${zone}\` is a simple zone: its vnets have no tag.`;
    return { at, summary: "Tag in a simple zone", detail };
  }
  if (tag === null && type !== "qinq" && type !== "simple") {
    const what = isVlan ? "VLAN" : "VXLAN identifier";
    const detail = `Zone \`${zone}\` is of type \`${type}\`: its vnets need a \`tag\`, their ${what}.`;
    return { at, summary: "Tag needed", detail };
  }
  if (isVlan && tag !== null && tag > 4096) {
    const detail = `Zone \`${zone}\` is of type \`${type}\`: a tag is a VLAN, from 1 to 4096.`;
    return { at, summary: "Tag out of range", detail };
  }
  return null;
}

interface Tagged {
  readonly id: string;
  readonly zone: string;
  readonly tag: number | null | undefined;
  readonly type: string;
}

/** VLANs belong to a zone; VXLAN identifiers to the cluster. */
async function takenTag(api: Session, { id, zone, tag, type }: Tagged): Promise<Fault | null> {
  if (typeof tag !== "number") return null;
  const isVxlan = (name: unknown): boolean => name === "vxlan" || name === "evpn";
  const types = await zones.all(api);
  const shares = (other: unknown): boolean =>
    isVxlan(type) ? isVxlan(types.get(String(other))?.["type"]) : other === zone;
  const taken = [...(await vnets.all(api))].find(
    ([other, vnet]) => other !== id && Number(vnet["tag"]) === tag && shares(vnet["zone"]),
  );
  if (taken === undefined) return null;
  const where = isVxlan(type) ? `zone \`${taken[1]["zone"]}\`` : "the same zone";
  const detail = `Vnet \`${taken[0]}\` of ${where} has tag ${tag} already.`;
  return { at: "tag", summary: "Tag taken", detail };
}

async function subnetFault(
  api: Session,
  id: string,
  { vlan_aware, isMoved }: { readonly vlan_aware: boolean | null | undefined; readonly isMoved: boolean },
): Promise<Fault | null> {
  if (!vlan_aware && !isMoved) return null;
  const [cidr] = await subnets.of(api, id);
  if (cidr === undefined) return null;
  const summary = "Vnet with subnets";
  return isMoved
    ? {
        at: "zone",
        summary,
        detail: `Vnet \`${id}\` has the subnet ${cidr}, and cannot move to another zone with it. Remove the subnet first, in an apply of its own, then move the vnet.`,
      }
    : { at: "vlan_aware", summary, detail: `Vnet \`${id}\` has the subnet ${cidr}, so it cannot be VLAN aware.` };
}
