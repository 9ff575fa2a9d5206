import type { Caller } from "../core/access/caller.ts";
import type { Privilege } from "../core/access/privileges.ts";
import { die, paramError } from "../core/kernel/failure.ts";
import { boolean, integer, string } from "../core/schema/schema.ts";
import { sectionEndpoints } from "../core/sections/section-endpoints.ts";
import type { SectionFile } from "../core/sections/section-file.ts";
import type { ConfigSection } from "../core/world/section.ts";
import type { World } from "../core/world/world.ts";
import { vnetId } from "./formats.ts";
import { changeOf, lockToken, viewSections, views } from "./sections.ts";
import { subnetsOfVnet } from "./subnets.ts";

const optional = { optional: true } as const;

const options = {
  alias: string({ optional: true, pattern: "[\\(\\)-_.\\w\\d\\s]{0,256}", maxLength: 256 }),
  "isolate-ports": boolean({ optional: true }),
  tag: integer({ optional: true, minimum: 1, maximum: 16777215 }),
  vlanaware: boolean({ optional: true }),
  zone: string(),
};

function getVnet(world: World, id: string): ConfigSection {
  return world.sdn.vnets[id] ?? die(`sdn vnet '${id}' does not exist`);
}

/** `check_vnet_access`: a vnet's privileges are on its path below the zone. */
export function checkVnetAccess(world: World, caller: Caller, id: string, privileges: readonly Privilege[]): void {
  caller.checkAny(`/sdn/zones/${getVnet(world, id).options["zone"]}/${id}`, privileges);
}

export const vnetReaders = ["SDN.Audit", "SDN.Allocate"] as const;

/** The first other vnet with the same tag in a zone for which `matters` is true. */
function findTagUser(world: World, id: string, tag: unknown, matters: (zone: string) => boolean): string | undefined {
  return Object.keys(world.sdn.vnets)
    .sort()
    .find((other) => {
      const { zone, tag: theirs } = world.sdn.vnets[other]?.options ?? {};
      return other !== id && matters(String(zone)) && (theirs ?? undefined) === tag;
    });
}

function checkVlanTag(world: World, id: string, zone: string, tag: unknown): void {
  if (tag === undefined) {
    paramError({ tag: "missing vlan tag" });
  }
  if (Number(tag) > 4096) {
    paramError({ tag: "vlan tag max value is 4096" });
  }
  const user = findTagUser(world, id, tag, (other) => other === zone);
  if (user !== undefined) {
    paramError({ tag: `tag ${tag} already exist in vnet ${user}` });
  }
}

function checkServiceVlanTag(world: World, id: string, zone: string, tag: unknown): void {
  if (Number(tag ?? 0) > 4096) {
    paramError({ tag: "VLAN tag maximal value is 4096" });
  }
  const user = findTagUser(world, id, tag, (other) => other === zone);
  if (user !== undefined) {
    const what = tag === undefined ? "tag-less vnet already exists" : `tag ${tag} already exist`;
    paramError({ tag: `${what} in zone ${zone} vnet ${user}` });
  }
}

/** Network identifiers are unique in the whole cluster. */
function checkVxlanTag(world: World, id: string, tag: unknown): void {
  const isVxlan = (zone: string) => ["vxlan", "evpn"].includes(world.sdn.zones[zone]?.type ?? "");
  const user = findTagUser(world, id, tag, isVxlan);
  if (user !== undefined) {
    const zone = world.sdn.vnets[user]?.options["zone"];
    paramError({ tag: `vxlan tag ${tag} already exist in vnet ${user} in zone ${zone} ` });
  }
}

/** `vnet_update_hook` of each type of zone: the checks of tags. */
function checkTag(world: World, id: string, { options: given }: ConfigSection, line: number): void {
  const name = String(given["zone"]);
  const { tag } = given;
  const type =
    world.sdn.zones[name]?.type ??
    die(`cannot lookup undefined type! at /usr/share/perl5/PVE/API2/Network/SDN/Vnets.pm line ${line}.`);
  switch (type) {
    case "simple":
      if (tag !== undefined) {
        paramError({ tag: "vlan tag is not allowed on simple zone" });
      }
      break;
    case "qinq":
      checkServiceVlanTag(world, id, name, tag);
      break;
    case "vxlan":
    case "evpn":
      if (tag === undefined) {
        paramError({ tag: "missing vxlan tag" });
      }
      if (type === "evpn" && given["vlanaware"] === "1") {
        paramError({ "vlan-aware": "vlan-aware option can't be enabled with evpn" });
      }
      checkVxlanTag(world, id, tag);
      break;
    default:
      checkVlanTag(world, id, name, tag);
  }
}

function verifyVnet(world: World, id: string, section: ConfigSection, before: ConfigSection | undefined): void {
  const subnets = subnetsOfVnet(world, id);
  if (before !== undefined && subnets.length > 0 && before.options["zone"] !== section.options["zone"]) {
    paramError({ zone: "can't change zone if subnets exist" });
  }
  checkTag(world, id, section, before === undefined ? 326 : 402);
  if (section.options["vlanaware"] === "1" && subnets.length > 0) {
    paramError({ vlanaware: "vlanaware vnet is not compatible with subnets" });
  }
}

const everyUser = { user: "all" } as const;

/** pve-network `src/PVE/API2/Network/SDN/Vnets.pm`. */
const vnetFile: SectionFile = {
  path: "/cluster/sdn/vnets",
  key: "vnet",
  id: vnetId,
  type: "vnet",
  options,
  changes: { ...options, zone: string({ optional: true }) },
  parameters: {
    list: views,
    read: views,
    create: { type: string({ optional: true, enum: ["vnet"] }) },
    write: lockToken,
  },
  permissions: {
    list: everyUser,
    read: everyUser,
    create: { check: ["perm", "/sdn/zones/{zone}", ["SDN.Allocate"]] },
    update: everyUser,
    delete: everyUser,
  },
  checks: "under lock",
  texts: {
    exists: (id) => `sdn vnet object ID '${id}' already defined`,
    missing: (id) => `sdn vnet '${id}' does not exist`,
  },
  sections: ({ sdn }) => sdn.vnets,
  rulesOf: () => ({ zone: {}, tag: optional, alias: optional, vlanaware: optional, "isolate-ports": optional }),
  view: ({ world, params }) => viewSections(world, "vnets", vnetFile, params),
  isListed: ({ caller }, id, entry) => {
    const zone = entry["zone"] ?? (entry["pending"] as { zone?: string } | undefined)?.zone;
    return caller.hasAny(`/sdn/zones/${zone}/${id}`, vnetReaders);
  },
  guard: ({ world, caller, params }, action) => {
    if (action !== "create" && action !== "list") {
      checkVnetAccess(world, caller, String(params["vnet"]), action === "read" ? vnetReaders : ["SDN.Allocate"]);
    }
  },
  change: changeOf("vnet"),
  verify: ({ call, id, section, before }) => verifyVnet(call.world, id, section, before),
  verifyDelete: ({ world }, id) => {
    if (subnetsOfVnet(world, id).length > 0) {
      paramError({ vnet: "Can't delete vnet if subnets exists" });
    }
  },
};

export const vnetEndpoints = sectionEndpoints(vnetFile);
