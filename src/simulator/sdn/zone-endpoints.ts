import { die, paramError } from "../core/kernel/failure.ts";
import { configIdFormat } from "../core/schema/formats.ts";
import { string } from "../core/schema/schema.ts";
import { sectionEndpoints } from "../core/sections/section-endpoints.ts";
import type { SectionChange, SectionFile } from "../core/sections/section-file.ts";
import type { ConfigSection } from "../core/world/section.ts";
import type { World } from "../core/world/world.ts";
import { zoneId } from "./formats.ts";
import { allIpams } from "./ipams.ts";
import { changeOf, lockToken, viewSections, views } from "./sections.ts";
import { subnetsOfZone } from "./subnets.ts";
import { zoneOptions, zoneRules, zoneTypes } from "./zone-options.ts";

const pluginDirectory = "/usr/share/perl5/PVE/Network/SDN/Zones";

/** The servers in a request must exist. */
function checkReferences({ sdn }: World, given: SectionChange["given"]): void {
  for (const name of ["dns", "reversedns"]) {
    const server = given[name];
    if (server && sdn.dns[String(server)] === undefined) {
      paramError({ [name]: `${server} don't exist` });
    }
  }
  if (given["dnszone"] && !given["dns"]) {
    paramError({ dnszone: "missing dns server" });
  }
  const { ipam } = given;
  if (ipam && allIpams(sdn)[String(ipam)] === undefined) {
    paramError({ ipam: `${ipam} not existing` });
  }
}

/** `on_update_hook` of an EVPN zone; generates the MAC address of its router if it is missing. */
function checkEvpn({ call, id, section }: SectionChange): void {
  const { zones, controllers } = call.world.sdn;
  const { controller: first, "secondary-controllers": further = [] } = section.options;
  for (const controller of [String(first), ...[further].flat()]) {
    const type = (
      controllers[controller] ??
      die(`controller ${controller} don't exist at ${pluginDirectory}/EvpnPlugin.pm line 354.`)
    ).type;
    if (type !== "evpn") {
      die(`${controller} is not a evpn controller type at ${pluginDirectory}/EvpnPlugin.pm line 357.`);
    }
  }
  const vni = section.options["vrf-vxlan"];
  const other = Object.keys(zones).find((zone) => zone !== id && zones[zone]?.options["vrf-vxlan"] === vni);
  if (other !== undefined) {
    die(`vrf-vxlan ${vni} is already declared in ${other} at ${pluginDirectory}/EvpnPlugin.pm line 368.`);
  }
  section.options["mac"] ??= call.sim.random.mac(call.world.cluster.options["mac_prefix"] ?? "BC:24:11");
}

function checkPlugin(change: SectionChange): void {
  const { type, options } = change.section;
  if (type === "vxlan" && (options["peers"] === undefined) === (options["fabric"] === undefined)) {
    const text = "must have exactly one of peers / fabric defined";
    paramError({ peers: text, fabric: text });
  }
  if (type === "evpn") {
    checkEvpn(change);
  }
}

function checkDelete({ sdn }: World, id: string): void {
  const user = Object.keys(sdn.vnets).find((vnet) => sdn.vnets[vnet]?.options["zone"] === id);
  if (user !== undefined) {
    die(`zone ${id} is used by vnet ${user} at ${pluginDirectory}/Plugin.pm line 149.`);
  }
}

const ipamOf = (section: ConfigSection | undefined) => section?.options["ipam"] ?? "";
const mayAllocate = { check: ["perm", "/sdn/zones/{zone}", ["SDN.Allocate"]] } as const;

/** pve-network `src/PVE/API2/Network/SDN/Zones.pm`. */
const zoneFile: SectionFile = {
  path: "/cluster/sdn/zones",
  key: "zone",
  id: zoneId,
  type: string({ format: configIdFormat, enum: zoneTypes }),
  options: zoneOptions,
  parameters: {
    list: { ...views, type: string({ optional: true, enum: zoneTypes }) },
    read: views,
    write: lockToken,
  },
  permissions: {
    list: { user: "all" },
    read: mayAllocate,
    create: { check: ["perm", "/sdn/zones", ["SDN.Allocate"]] },
    update: mayAllocate,
    delete: mayAllocate,
  },
  texts: {
    exists: (id) => `sdn zone object ID '${id}' already defined`,
    missing: (id) => `sdn '${id}' does not exist`,
  },
  sections: ({ sdn }) => sdn.zones,
  rulesOf: (type) => zoneRules[type] ?? {},
  view: ({ world, params }) => viewSections(world, "zones", zoneFile, params),
  isListed: ({ caller }, id) => caller.hasAny(`/sdn/zones/${id}`, ["SDN.Audit", "SDN.Allocate"]),
  change: changeOf("zone"),
  verify: (change) => {
    const { call, id, before, section, given } = change;
    if (before !== undefined && ipamOf(before) !== ipamOf(section) && subnetsOfZone(call.world, id).length > 0) {
      paramError({ ipam: "can't change ipam if a subnet is already defined in this zone" });
    }
    checkReferences(call.world, given);
    checkPlugin(change);
  },
  verifyDelete: ({ world }, id) => checkDelete(world, id),
};

export const zoneEndpoints = sectionEndpoints(zoneFile);
