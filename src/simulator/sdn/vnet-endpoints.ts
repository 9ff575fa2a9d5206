import type { Caller } from "../access/caller.ts";
import type { Privilege } from "../access/privileges.ts";
import {
  assertDigest,
  changedOptions,
  checkDeletions,
  checkNewSection,
  checkSectionUpdate,
  sectionParameters,
  sectionsDigest,
} from "../cluster/section-config.ts";
import { endpoint } from "../kernel/endpoint.ts";
import { die, paramError } from "../kernel/failure.ts";
import { configIdListFormat } from "../schema/formats.ts";
import { boolean, integer, string } from "../schema/schema.ts";
import { digest } from "../schema/standard-options.ts";
import type { ConfigSection } from "../world/section.ts";
import type { World } from "../world/world.ts";
import { changeSdn, type SectionKind, viewSections, views } from "./sections.ts";

const optional = { optional: true } as const;
const rules = { zone: {}, tag: optional, alias: optional, vlanaware: optional, "isolate-ports": optional };
const rulesOf = () => rules;

const vnet = string({ pattern: "[a-zA-Z][a-zA-Z0-9]*[a-zA-Z0-9]", minLength: 2, maxLength: 8 });
const options = {
  alias: string({ optional: true, pattern: "[\\(\\)-_.\\w\\d\\s]{0,256}", maxLength: 256 }),
  "isolate-ports": boolean({ optional: true }),
  "lock-token": string({ optional: true }),
  tag: integer({ optional: true, minimum: 1, maximum: 16777215 }),
  vlanaware: boolean({ optional: true }),
};

function kindOf({ sdn }: World): SectionKind {
  return { edited: sdn.vnets, running: sdn.running.vnets, properties: options, rulesOf };
}

function getVnet(world: World, id: string): ConfigSection {
  return world.sdn.vnets[id] ?? die(`sdn vnet '${id}' does not exist`);
}

function checkAccess(world: World, caller: Caller, id: string, privileges: readonly Privilege[]): void {
  caller.checkAny(`/sdn/zones/${getVnet(world, id).options["zone"]}/${id}`, privileges);
}

/** `vnet_update_hook` of each type of zone: which tags it takes. */
function checkTag(world: World, id: string, { options: given }: ConfigSection): void {
  const name = String(given["zone"]);
  const zone = world.sdn.zones[name] ?? die(`sdn '${name}' does not exist`);
  const tag = given["tag"];
  const isUsed = Object.entries(world.sdn.vnets).find(
    ([other, { options: theirs }]) => other !== id && theirs["zone"] === name && theirs["tag"] === tag,
  )?.[0];
  switch (zone.type) {
    case "simple":
      if (tag !== undefined) {
        paramError({ tag: "vlan tag is not allowed on simple zone" });
      }
      return;
    case "vlan":
      if (tag === undefined) {
        paramError({ tag: "missing vlan tag" });
      }
      if (Number(tag) > 4096) {
        paramError({ tag: "vlan tag max value is 4096" });
      }
      break;
    case "qinq":
      if (Number(tag ?? 0) > 4096) {
        paramError({ tag: "VLAN tag maximal value is 4096" });
      }
      break;
    default:
      if (tag === undefined) {
        paramError({ tag: "missing vxlan tag" });
      }
  }
  if (isUsed !== undefined) {
    paramError({ tag: `tag ${tag} already exist in ${zone.type === "qinq" ? `zone ${name} ` : ""}vnet ${isUsed}` });
  }
}

/** pve-network `src/PVE/API2/Network/SDN/Vnets.pm`. */
export const vnetEndpoints = [
  endpoint({
    method: "GET",
    path: "/cluster/sdn/vnets",
    permissions: { user: "all" },
    parameters: views,
    handler: ({ params, world, caller }) =>
      Object.entries(viewSections(kindOf(world), params))
        .map(([id, entry]): Record<string, unknown> => ({ vnet: id, ...entry }))
        .filter((entry) => {
          const zone = entry["zone"] ?? (entry["pending"] as { zone?: string } | undefined)?.zone;
          return caller.hasAny(`/sdn/zones/${zone}/${entry["vnet"]}`, ["SDN.Audit", "SDN.Allocate"]);
        }),
  }),
  endpoint({
    method: "GET",
    path: "/cluster/sdn/vnets/{vnet}",
    permissions: { user: "all" },
    parameters: { vnet, ...views },
    handler: ({ params, world, caller }) => {
      checkAccess(world, caller, params.vnet, ["SDN.Audit", "SDN.Allocate"]);
      const found = viewSections(kindOf(world), params)[params.vnet] ?? die(`sdn vnet '${params.vnet}' does not exist`);
      return { vnet: params.vnet, ...found };
    },
  }),
  endpoint({
    method: "POST",
    path: "/cluster/sdn/vnets",
    protected: true,
    permissions: { check: ["perm", "/sdn/zones/{zone}", ["SDN.Allocate"]] },
    parameters: { vnet, zone: string(), type: string({ optional: true, enum: ["vnet"] }), ...options },
    handler: async (call) => {
      const { world, params } = call;
      const given = sectionParameters(call.given, ["vnet", "type", "lock-token"]);
      await changeSdn(call, "create sdn vnet object failed", params["lock-token"], () => {
        checkNewSection(rules, given);
        if (world.sdn.vnets[params.vnet] !== undefined) {
          die(`sdn vnet object ID '${params.vnet}' already defined`);
        }
        const section = { type: "vnet", options: changedOptions({}, given) };
        checkTag(world, params.vnet, section);
        world.sdn.vnets[params.vnet] = section;
      });
      return null;
    },
  }),
  endpoint({
    method: "PUT",
    path: "/cluster/sdn/vnets/{vnet}",
    protected: true,
    permissions: { user: "all" },
    parameters: {
      vnet,
      zone: string({ optional: true }),
      ...options,
      delete: string({ optional: true, format: configIdListFormat, maxLength: 4096 }),
      digest,
    },
    handler: async (call) => {
      const { world, params, caller } = call;
      checkAccess(world, caller, params.vnet, ["SDN.Allocate"]);
      const given = sectionParameters(call.given, ["vnet", "lock-token", "delete", "digest"]);
      await changeSdn(call, "update sdn vnet object failed", params["lock-token"], () => {
        assertDigest(sectionsDigest(world.sdn.vnets, rulesOf), params.digest);
        const section = getVnet(world, params.vnet);
        checkSectionUpdate(rules, given);
        const deleted = checkDeletions(rules, params.delete, given);
        const next = { ...section, options: changedOptions(section.options, given, deleted) };
        checkTag(world, params.vnet, next);
        section.options = next.options;
      });
      return null;
    },
  }),
  endpoint({
    method: "DELETE",
    path: "/cluster/sdn/vnets/{vnet}",
    protected: true,
    permissions: { user: "all" },
    parameters: { vnet, "lock-token": string({ optional: true }) },
    handler: async (call) => {
      const { world, params, caller } = call;
      checkAccess(world, caller, params.vnet, ["SDN.Allocate"]);
      await changeSdn(call, "delete sdn vnet object failed", params["lock-token"], () => {
        delete world.sdn.vnets[params.vnet];
      });
      return null;
    },
  }),
];
