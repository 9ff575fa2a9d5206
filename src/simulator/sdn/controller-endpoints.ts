import { die } from "../core/kernel/failure.ts";
import { splitList } from "../core/schema/format.ts";
import { configIdFormat, interfaceListFormat, nodeFormat, nodeListFormat } from "../core/schema/formats.ts";
import { ipListFormat } from "../core/schema/network-formats.ts";
import { boolean, integer, string } from "../core/schema/schema.ts";
import type { OptionRules } from "../core/sections/section-config.ts";
import { sectionEndpoints } from "../core/sections/section-endpoints.ts";
import type { SectionChange, SectionFile } from "../core/sections/section-file.ts";
import { isBefore } from "../core/world/release.ts";
import type { ConfigSection } from "../core/world/section.ts";
import type { World } from "../core/world/world.ts";
import { bgpFabric } from "./fabric-config.ts";
import { controllerId, fabricIdFormat, isisNetFormat } from "./formats.ts";
import { hasEntries, routeMapIdFormat } from "./route-maps.ts";
import { changeOf, lockToken, viewSections, views } from "./sections.ts";

const optional = { optional: true } as const;
const controllerTypes = ["bgp", "evpn", "faucet", "isis"] as const;
const pluginDirectory = "/usr/share/perl5/PVE/Network/SDN/Controllers";

/** pve-network `src/PVE/Network/SDN/Controllers/*Plugin.pm`. */
const rulesByType: Record<string, OptionRules> = {
  evpn: {
    asn: {},
    peers: optional,
    fabric: optional,
    nodes: optional,
    "bgp-mode": optional,
    "ebgp-multihop": optional,
    "peer-group-name": optional,
    "route-map-in": optional,
    "route-map-out": optional,
  },
  bgp: {
    node: {},
    asn: {},
    peers: {},
    "bgp-multipath-as-path-relax": optional,
    ebgp: optional,
    "ebgp-multihop": optional,
    loopback: optional,
    "route-map-in": optional,
    "route-map-out": optional,
  },
  isis: { "isis-domain": {}, "isis-net": {}, "isis-ifaces": {}, node: {}, loopback: optional },
};

const options = {
  asn: integer({ optional: true, minimum: 0, maximum: 4294967295 }),
  "bgp-mode": string({ optional: true, enum: ["auto", "external", "internal"], default: "auto" }),
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
  nodes: string({ optional: true, format: nodeListFormat }),
  "peer-group-name": string({ optional: true, format: configIdFormat, default: "VTEP" }),
  peers: string({ optional: true, format: ipListFormat }),
  "route-map-in": string({ optional: true, format: routeMapIdFormat }),
  "route-map-out": string({ optional: true, format: routeMapIdFormat }),
};

const file = `${pluginDirectory}/EvpnPlugin.pm`;

const nodesOf = ({ options: { nodes } }: ConfigSection): string[] | undefined =>
  nodes === undefined ? undefined : splitList(String(nodes));

const groupOf = ({ options }: ConfigSection) => options["peer-group-name"] ?? "VTEP";

/** Several EVPN controllers share the BGP process of a node. */
function verifyEvpn(world: World, id: string, section: ConfigSection): void {
  const all = Object.entries(world.sdn.controllers).filter(([other]) => other !== id);
  const others = all.filter(([, { type }]) => type === "evpn").map(([, other]) => other);
  const nodes = nodesOf(section);
  const shares = (other: ConfigSection) => {
    const theirs = nodesOf(other);
    return nodes === undefined || theirs === undefined || theirs.some((node) => nodes.includes(node));
  };
  if (others.some((other) => shares(other) && other.options["asn"] !== section.options["asn"])) {
    die(`all EVPN controllers on a node must have the same ASN configured at ${file} line 560.`);
  }
  if (others.some((other) => groupOf(other) === groupOf(section))) {
    die(`cannot have two controllers with same peer-group-name configured (${groupOf(section)}) at ${file} line 575.`);
  }
  if ((section.options["peers"] === undefined) === (section.options["fabric"] === undefined)) {
    die(`must have exactly one of peers / fabric defined at ${file} line 496.`);
  }
}

/** A map that a controller names has an entry. */
function verifyRouteMaps({ sdn }: World, { options: given }: ConfigSection): void {
  for (const map of [given["route-map-in"], given["route-map-out"]].flatMap((name) => name ?? [])) {
    if (!hasEntries(sdn.routeMaps, map)) {
      die(`route map ${map} does not exist! at ${pluginDirectory}/Plugin.pm line 120.`);
    }
  }
}

/** `on_update_hook`: PVE counts the other controllers of the node that answers, not of this controller's node. */
function verifyController({ call, id, section }: SectionChange): void {
  const { controllers } = call.world.sdn;
  const others = Object.keys(controllers).filter((other) => other !== id && controllers[other]?.type === section.type);
  const here = others.filter((other) => controllers[other]?.options["node"] === call.node).length;
  if (section.type === "evpn") {
    if (others.length > 0 && isBefore(call.world, "9.1.12", "sdn")) {
      die(`only 1 global evpn controller can be defined at ${pluginDirectory}/EvpnPlugin.pm line 491.`);
    }
    verifyEvpn(call.world, id, section);
  }
  verifyRouteMaps(call.world, section);
  const fabric = section.type === "bgp" ? bgpFabric(call.world.sdn) : undefined;
  if (fabric !== undefined) {
    die(
      `cannot configure a BGP controller while BGP fabric '${fabric}' exists: both target the default-VRF BGP router at ${pluginDirectory}/BgpPlugin.pm line 170.`,
    );
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
    const user = Object.keys(sdn.zones).find((zone) => {
      const { controller, "secondary-controllers": further = [] } = sdn.zones[zone]?.options ?? {};
      return controller === id || further.includes(id);
    });
    const place = { evpn: "EvpnPlugin.pm line 476", bgp: "BgpPlugin.pm line 166" }[section?.type ?? ""];
    if (user !== undefined && place !== undefined) {
      die(`controller ${id} is used by ${user} at ${pluginDirectory}/${place}.`);
    }
  },
};

export const controllerEndpoints = sectionEndpoints(controllerFile);
