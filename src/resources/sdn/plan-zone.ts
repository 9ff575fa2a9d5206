import type { Attributes, PlanContext, Session } from "#kit";
import { checkBridge } from "./check-bridge.ts";
import { zones } from "./planned.ts";
import { zoneTypeNames } from "./zone-types.ts";

type Config = Readonly<Record<string, { readonly [name: string]: unknown } | null | undefined>>;

/** Says what the zone will be to the plans of its vnets, and refuses identifiers that another zone has. */
export async function planZone<A extends Attributes>(
  context: PlanContext<A, object, Session>,
  api: Session,
): Promise<void> {
  const { config, report } = context;
  const given = config as unknown as Config & { readonly id?: string };
  const type = zoneTypeNames.find((name) => given[name]);
  if (typeof given.id !== "string" || type === undefined) return;
  const id = given.id;
  const vrf = given["evpn"]?.["vrf_vxlan"];
  const [ipam, dhcp] = [given["ipam"], given["simple"]?.["dhcp"]];
  const options = { ...(vrf !== undefined && { "vrf-vxlan": vrf }), ...(ipam && { ipam }), ...(dhcp ? { dhcp } : {}) };
  await checkBridge(context, api, type);
  zones.plan(api, id, { zone: id, type, ...options });
  if (typeof vrf !== "number") return;
  const taken = [...(await zones.all(api))].find(([other, zone]) => other !== id && Number(zone["vrf-vxlan"]) === vrf);
  if (taken === undefined) return;
  const detail = `Zone \`${taken[0]}\` has the VXLAN identifier ${vrf} already, and each EVPN zone needs its own.`;
  report.error(["evpn", "vrf_vxlan"], "VXLAN identifier taken", detail);
}
