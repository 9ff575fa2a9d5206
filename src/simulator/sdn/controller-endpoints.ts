import { die } from "../core/kernel/failure.ts";
import { configIdFormat, interfaceListFormat, nodeFormat } from "../core/schema/formats.ts";
import { ipListFormat } from "../core/schema/network-formats.ts";
import { boolean, integer, string } from "../core/schema/schema.ts";
import type { OptionRules } from "../core/sections/section-config.ts";
import { sectionEndpoints } from "../core/sections/section-endpoints.ts";
import type { SectionChange, SectionFile } from "../core/sections/section-file.ts";
import { controllerId, fabricIdFormat, isisNetFormat } from "./formats.ts";
import { changeOf, lockToken, viewSections, views } from "./sections.ts";

const optional = { optional: true } as const;
const controllerTypes = ["bgp", "evpn", "faucet", "isis"] as const;
const pluginDirectory = "/usr/share/perl5/PVE/Network/SDN/Controllers";

/** pve-network `src/PVE/Network/SDN/Controllers/*Plugin.pm`. */
const rulesByType: Record<string, OptionRules> = {
  evpn: { asn: {}, peers: optional, fabric: optional },
  bgp: {
    node: {},
    asn: {},
    peers: {},
    "bgp-multipath-as-path-relax": optional,
    ebgp: optional,
    "ebgp-multihop": optional,
    loopback: optional,
  },
  isis: { "isis-domain": {}, "isis-net": {}, "isis-ifaces": {}, node: {}, loopback: optional },
};

const options = {
  asn: integer({ optional: true, minimum: 0, maximum: 4294967295 }),
  "bgp-multipath-as-path-relax": boolean(optional),
  ebgp: boolean(optional),
  "ebgp-multihop": integer(optional),
  fabric: string({ optional: true, format: fabricIdFormat }),
  "isis-domain": string(optional),
  "isis-ifaces": string({ optional: true, format: interfaceListFormat }),
  "isis-net": string({
    optional: true,
    format: isisNetFormat,
    pattern: "[a-fA-F0-9]{2}(\\.[a-fA-F0-9]{4}){3,9}\\.[a-fA-F0-9]{2}",
    minLength: 20,
    maxLength: 50,
  }),
  loopback: string(optional),
  node: string({ optional: true, format: nodeFormat }),
  peers: string({ optional: true, format: ipListFormat }),
};

/** `on_update_hook`: PVE counts the other controllers of the node that answers, not of this controller's node. */
function verifyController({ call, id, section }: SectionChange): void {
  const { controllers } = call.world.sdn;
  const others = Object.keys(controllers).filter((other) => other !== id && controllers[other]?.type === section.type);
  const here = others.filter((other) => controllers[other]?.options["node"] === call.node).length;
  if (section.type === "evpn") {
    if (others.length > 0) {
      die(`only 1 global evpn controller can be defined at ${pluginDirectory}/EvpnPlugin.pm line 491.`);
    }
    if ((section.options["peers"] === undefined) === (section.options["fabric"] === undefined)) {
      die(`must have exactly one of peers / fabric defined at ${pluginDirectory}/EvpnPlugin.pm line 496.`);
    }
  }
  if (section.type === "bgp" && here > 1) {
    die(`only 1 bgp controller can be defined at ${pluginDirectory}/BgpPlugin.pm line 183.`);
  }
  if (section.type === "isis" && here > 1) {
    die(`only 1 bgp or isis controller can be defined at ${pluginDirectory}/IsisPlugin.pm line 123.`);
  }
}

const mayAllocate = { check: ["perm", "/sdn/controllers", ["SDN.Allocate"]] } as const;

/** pve-network `src/PVE/API2/Network/SDN/Controllers.pm`. */
const controllerFile: SectionFile = {
  path: "/cluster/sdn/controllers",
  key: "controller",
  id: controllerId,
  type: string({ format: configIdFormat, enum: controllerTypes }),
  options,
  parameters: {
    list: { ...views, type: string({ optional: true, enum: controllerTypes }) },
    read: views,
    write: lockToken,
  },
  permissions: {
    list: { user: "all" },
    read: { check: ["perm", "/sdn/controllers/{controller}", ["SDN.Allocate"]] },
    create: mayAllocate,
    update: mayAllocate,
    delete: mayAllocate,
  },
  texts: {
    exists: (id) => `sdn controller object ID '${id}' already defined`,
    missing: (id) => `sdn '${id}' does not exist`,
  },
  sections: ({ sdn }) => sdn.controllers,
  rulesOf: (type) => rulesByType[type] ?? {},
  view: ({ world, params }) => viewSections(world, "controllers", controllerFile, params),
  isListed: ({ caller }, id) => caller.hasAny(`/sdn/controllers/${id}`, ["SDN.Audit", "SDN.Allocate"]),
  change: changeOf("controller"),
  verify: verifyController,
  verifyDelete: ({ world: { sdn } }, id, section) => {
    const user = Object.keys(sdn.zones).find((zone) => sdn.zones[zone]?.options["controller"] === id);
    const place = { evpn: "EvpnPlugin.pm line 476", bgp: "BgpPlugin.pm line 166" }[section?.type ?? ""];
    if (user !== undefined && place !== undefined) {
      die(`controller ${id} is used by ${user} at ${pluginDirectory}/${place}.`);
    }
  },
};

export const controllerEndpoints = sectionEndpoints(controllerFile);
