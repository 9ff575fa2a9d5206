import type { ConfigSection } from "../core/world/section.ts";
import type { World } from "../core/world/world.ts";

/** The parts of a subnet's id: `<zone>-<network>-<prefix length>`. */
export interface SubnetParts {
  readonly zone: string;
  readonly network: string;
  readonly mask: string;
  readonly cidr: string;
}

export function subnetParts(id: string): SubnetParts {
  const [zone = "", network = "", mask = ""] = id.split("-");
  return { zone, network, mask, cidr: `${network}/${mask}` };
}

type Sections = Readonly<Record<string, ConfigSection>>;

const idsWhere = (sections: Sections, holds: (id: string) => boolean) => Object.keys(sections).filter(holds).sort();

/** Ids of the subnets of a zone, in order. */
export function subnetsOfZone({ sdn }: World, zone: string): string[] {
  return idsWhere(sdn.subnets, (id) => subnetParts(id).zone === zone);
}

/** Ids of the subnets of a vnet, in order: the edited ones or, for `running`, the applied ones. */
export function subnetsOfVnet({ sdn }: World, vnet: string, state?: "running"): string[] {
  const { subnets } = state === "running" ? sdn.running : sdn;
  return idsWhere(subnets, (id) => subnets[id]?.options["vnet"] === vnet);
}
