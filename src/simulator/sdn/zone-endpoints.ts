import {
  assertDigest,
  changedOptions,
  checkDeletions,
  checkNewSection,
  checkSectionUpdate,
  type OptionRules,
  sectionParameters,
  sectionsDigest,
} from "../cluster/section-config.ts";
import { endpoint } from "../kernel/endpoint.ts";
import { die, paramError } from "../kernel/failure.ts";
import { listOf, namedFormat } from "../schema/format.ts";
import { configIdFormat, configIdListFormat, nodeFormat, nodeListFormat } from "../schema/formats.ts";
import { dnsNameFormat, ipListFormat, macAddressFormat } from "../schema/network-formats.ts";
import { boolean, integer, string } from "../schema/schema.ts";
import { digest } from "../schema/standard-options.ts";
import type { World } from "../world/world.ts";
import { changeSdn, type SectionKind, viewSections, views } from "./sections.ts";

const optional = { optional: true } as const;
const shared = {
  nodes: optional,
  mtu: optional,
  dns: optional,
  reversedns: optional,
  dnszone: optional,
  ipam: optional,
};
const zoneTypes = ["evpn", "faucet", "qinq", "simple", "vlan", "vxlan"] as const;

/** pve-network `src/PVE/Network/SDN/Zones/*Plugin.pm`. */
const rulesByType: Record<string, OptionRules> = {
  simple: { ...shared, dhcp: optional },
  vlan: { ...shared, bridge: {}, "bridge-disable-mac-learning": optional },
  qinq: { ...shared, tag: {}, bridge: {}, "bridge-disable-mac-learning": optional, "vlan-protocol": optional },
  vxlan: { ...shared, peers: optional, "vxlan-port": optional, fabric: optional },
  evpn: {
    ...shared,
    "vrf-vxlan": {},
    controller: {},
    exitnodes: optional,
    "exitnodes-local-routing": optional,
    "exitnodes-primary": optional,
    "advertise-subnets": optional,
    "disable-arp-nd-suppression": optional,
    "bridge-disable-mac-learning": optional,
    "rt-import": optional,
    "vxlan-port": optional,
    mac: optional,
  },
  faucet: { ...shared, "dp-id": {}, controller: optional },
};

const fabricIdFormat = namedFormat("pve-sdn-fabric-id", (value) => {
  if (!/^[a-zA-Z0-9][a-zA-Z0-9-]{0,6}[a-zA-Z0-9]?$/.test(value)) {
    die(`value '${value}' is not a valid fabric id`);
  }
});

const routeTargetFormat = namedFormat("pve-sdn-bgp-rt", (value) => {
  if (!/^\d+:\d+$/.test(value)) {
    die("value does not look like a valid bgp route-target");
  }
});

const text = string({ optional: true });
const flag = boolean({ optional: true });
const zone = string({ pattern: "[a-zA-Z][a-zA-Z0-9]*[a-zA-Z0-9]", minLength: 2, maxLength: 8 });

const options = {
  "advertise-subnets": flag,
  bridge: text,
  "bridge-disable-mac-learning": flag,
  controller: text,
  dhcp: string({ optional: true, enum: ["dnsmasq"] }),
  "disable-arp-nd-suppression": flag,
  dns: text,
  dnszone: string({ optional: true, format: dnsNameFormat }),
  "dp-id": integer({ optional: true }),
  exitnodes: string({ optional: true, format: nodeListFormat }),
  "exitnodes-local-routing": flag,
  "exitnodes-primary": string({ optional: true, format: nodeFormat }),
  fabric: string({ optional: true, format: fabricIdFormat }),
  ipam: text,
  "lock-token": text,
  mac: string({ optional: true, format: macAddressFormat }),
  mtu: integer({ optional: true }),
  nodes: string({ optional: true, format: nodeListFormat }),
  peers: string({ optional: true, format: ipListFormat }),
  reversedns: text,
  "rt-import": string({ optional: true, format: listOf(routeTargetFormat) }),
  tag: integer({ optional: true, minimum: 0 }),
  "vlan-protocol": string({ optional: true, enum: ["802.1q", "802.1ad"], default: "802.1q" }),
  "vrf-vxlan": integer({ optional: true, minimum: 1, maximum: 16777215 }),
  "vxlan-port": integer({ optional: true, minimum: 1, maximum: 65536, default: 4789 }),
};

const rulesOf = (type: string) => rulesByType[type] ?? {};

function kindOf({ sdn }: World): SectionKind {
  return { edited: sdn.zones, running: sdn.running.zones, properties: options, rulesOf };
}

/** Name servers of the cluster are not served here, so none exists; of the address pools only PVE's own does. */
function checkReferences({ dns, reversedns, dnszone, ipam }: Record<string, string>): void {
  for (const [name, server] of Object.entries({ dns, reversedns })) {
    if (server) {
      paramError({ [name]: `${server} don't exist` });
    }
  }
  if (dnszone) {
    paramError({ dnszone: "missing dns server" });
  }
  if (ipam && ipam !== "pve") {
    paramError({ ipam: `${ipam} not existing` });
  }
}

const mayAllocate = { check: ["perm", "/sdn/zones/{zone}", ["SDN.Allocate"]] } as const;

/** pve-network `src/PVE/API2/Network/SDN/Zones.pm`. */
export const zoneEndpoints = [
  endpoint({
    method: "GET",
    path: "/cluster/sdn/zones",
    permissions: { user: "all" },
    parameters: { ...views, type: string({ optional: true, enum: zoneTypes }) },
    handler: ({ params, world, caller }) =>
      Object.entries(viewSections(kindOf(world), params))
        .filter(([id]) => caller.hasAny(`/sdn/zones/${id}`, ["SDN.Audit", "SDN.Allocate"]))
        .filter(([, entry]) => params.type === undefined || params.type === entry["type"])
        .map(([id, entry]) => ({ zone: id, ...entry })),
  }),
  endpoint({
    method: "GET",
    path: "/cluster/sdn/zones/{zone}",
    permissions: mayAllocate,
    parameters: { zone, ...views },
    handler: ({ params, world }) => {
      const found = viewSections(kindOf(world), params)[params.zone] ?? die(`sdn '${params.zone}' does not exist`);
      return { zone: params.zone, ...found };
    },
  }),
  endpoint({
    method: "POST",
    path: "/cluster/sdn/zones",
    protected: true,
    permissions: { check: ["perm", "/sdn/zones", ["SDN.Allocate"]] },
    parameters: { zone, type: string({ format: configIdFormat, enum: zoneTypes }), ...options },
    handler: async (call) => {
      const { world, params } = call;
      const given = sectionParameters(call.given, ["zone", "type", "lock-token"]);
      checkNewSection(rulesOf(params.type), given);
      await changeSdn(call, "create sdn zone object failed", params["lock-token"], () => {
        if (world.sdn.zones[params.zone] !== undefined) {
          die(`sdn zone object ID '${params.zone}' already defined`);
        }
        checkReferences(given);
        world.sdn.zones[params.zone] = { type: params.type, options: changedOptions({}, given) };
      });
      return null;
    },
  }),
  endpoint({
    method: "PUT",
    path: "/cluster/sdn/zones/{zone}",
    protected: true,
    permissions: mayAllocate,
    parameters: {
      zone,
      ...options,
      delete: string({ optional: true, format: configIdListFormat, maxLength: 4096 }),
      digest,
    },
    handler: async (call) => {
      const { world, params } = call;
      const given = sectionParameters(call.given, ["zone", "lock-token", "delete", "digest"]);
      await changeSdn(call, "update sdn zone object failed", params["lock-token"], () => {
        assertDigest(sectionsDigest(world.sdn.zones, rulesOf), params.digest);
        const section = world.sdn.zones[params.zone] ?? die(`sdn '${params.zone}' does not exist`);
        checkSectionUpdate(rulesOf(section.type), given);
        const deleted = checkDeletions(rulesOf(section.type), params.delete, given);
        checkReferences(given);
        section.options = changedOptions(section.options, given, deleted);
      });
      return null;
    },
  }),
  endpoint({
    method: "DELETE",
    path: "/cluster/sdn/zones/{zone}",
    protected: true,
    permissions: mayAllocate,
    parameters: { zone, "lock-token": text },
    handler: async (call) => {
      const { world, params } = call;
      await changeSdn(call, "delete sdn zone object failed", params["lock-token"], () => {
        if (world.sdn.zones[params.zone] === undefined) {
          die(`sdn '${params.zone}' does not exist`);
        }
        const user = Object.entries(world.sdn.vnets).find(([, vnet]) => vnet.options["zone"] === params.zone)?.[0];
        if (user !== undefined) {
          die(`zone ${params.zone} is used by vnet ${user}`);
        }
        delete world.sdn.zones[params.zone];
      });
      return null;
    },
  }),
];
