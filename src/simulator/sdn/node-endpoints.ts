import { endpoint } from "../core/kernel/endpoint.ts";
import { die, paramError } from "../core/kernel/failure.ts";
import { indexEndpoint } from "../core/kernel/index-endpoint.ts";
import { string } from "../core/schema/schema.ts";
import { node } from "../core/schema/standard-options.ts";
import { getNode } from "../core/world/node.ts";
import type { World } from "../core/world/world.ts";
import { unifiedDiff } from "../network/unified-diff.ts";
import { compileRunning } from "./apply.ts";
import { describeBridge } from "./bridge-ports.ts";
import { fabricId, vnetId, zoneId } from "./formats.ts";
import { frrConfig, sdnInterfaces } from "./node-files.ts";
import { vnetStatuses, zoneStatuses } from "./status.ts";
import { checkVnetAccess } from "./vnet-endpoints.ts";
import { localZone } from "./zones.ts";

const path = "/nodes/{node}/sdn";
const mayAuditZone = { check: ["perm", "/sdn/zones/{zone}", ["SDN.Audit"]] } as const;
const mayAuditFabric = { check: ["perm", "/sdn/fabrics/{fabric}", ["SDN.Audit"]] } as const;
const onNode = { method: "GET", protected: true, proxyTo: "node" } as const;

function bridgesOf(world: World, host: string, zone: string): string[] {
  if (zone === localZone) {
    const { interfaces } = getNode(world, host);
    return Object.keys(interfaces).filter((name) => interfaces[name]?.["type"] === "bridge");
  }
  const { zones, vnets } = world.sdn.running;
  if (zones[zone] === undefined) {
    paramError({ zone: "zone does not exist" });
  }
  return Object.keys(vnets).filter((id) => vnets[id]?.options["zone"] === zone);
}

/** A zone for the routing table of an EVPN; PVE fails on a list of nodes there. */
function requireEvpn(world: World, zone: string, texts: { missing: string; other: string }, place: string): void {
  const section = world.sdn.running.zones[zone] ?? paramError({ zone: texts.missing });
  if (section.type !== "evpn") {
    paramError({ zone: texts.other });
  }
  if (section.options["nodes"] !== undefined) {
    die(`Not an ARRAY reference at /usr/share/perl5/PVE/API2/Network/SDN/Nodes/${place}.`);
  }
}

const zoneEndpoints = [
  endpoint({
    ...onNode,
    path: `${path}/zones`,
    permissions: { user: "all" },
    parameters: { node },
    handler: ({ world, node: here }) =>
      Object.entries(zoneStatuses(world, here)).map(([zone, status]) => ({ zone, status })),
  }),
  indexEndpoint(`${path}/zones/{zone}`, "subdir", ["content", "bridges", "ip-vrf"], {
    permissions: mayAuditZone,
    parameters: { node, zone: zoneId },
  }),
  endpoint({
    ...onNode,
    path: `${path}/zones/{zone}/content`,
    permissions: mayAuditZone,
    parameters: { node, zone: zoneId },
    handler: ({ world, params, node: here }) =>
      Object.entries(vnetStatuses(world, here))
        .filter(([, { zone }]) => zone === params.zone)
        .map(([vnet, { status, statusmsg = null }]) => ({ vnet, status, statusmsg })),
  }),
  endpoint({
    ...onNode,
    path: `${path}/zones/{zone}/bridges`,
    permissions: mayAuditZone,
    parameters: { node, zone: string() },
    handler: ({ world, params, caller, node: here }) =>
      bridgesOf(world, here, params.zone)
        .filter((name) => caller.hasAny(`/sdn/zones/${params.zone}/${name}`, ["SDN.Audit", "SDN.Allocate"]))
        .map((name) => describeBridge(world, here, name)),
  }),
  endpoint({
    ...onNode,
    path: `${path}/zones/{zone}/ip-vrf`,
    permissions: mayAuditZone,
    parameters: { node, zone: string() },
    handler: ({ world, params }) => {
      const texts = { missing: "zone does not exist", other: "zone is not an EVPN zone" };
      requireEvpn(world, params.zone, texts, "Zone.pm line 379");
      return [];
    },
  }),
];

const vnetEndpoints = [
  endpoint({
    method: "GET",
    path: `${path}/vnets/{vnet}`,
    permissions: { user: "all" },
    parameters: { node, vnet: vnetId },
    handler: ({ world, params, caller }) => {
      checkVnetAccess(world, caller, params.vnet, ["SDN.Audit"]);
      return [{ subdir: "mac-vrf" }];
    },
  }),
  endpoint({
    ...onNode,
    path: `${path}/vnets/{vnet}/mac-vrf`,
    permissions: { user: "all" },
    parameters: { node, vnet: vnetId },
    handler: ({ world, params, caller }) => {
      checkVnetAccess(world, caller, params.vnet, ["SDN.Audit"]);
      const vnet = world.sdn.running.vnets[params.vnet] ?? paramError({ vnet: "vnet does not exist" });
      const zone = String(vnet.options["zone"]);
      const texts = { missing: `zone ${zone} does not exist`, other: `zone ${zone} is not an EVPN zone.` };
      requireEvpn(world, zone, texts, "Vnet.pm line 141");
      return [];
    },
  }),
];

/** FRR is not simulated, so there are no routes and no neighbours. */
const fabricEndpoints = [
  indexEndpoint(`${path}/fabrics/{fabric}`, "subdir", ["neighbors", "routes"], {
    permissions: mayAuditFabric,
    parameters: { node, fabric: fabricId },
  }),
  ...(["routes", "neighbors"] as const).map((what) =>
    endpoint({
      ...onNode,
      path: `${path}/fabrics/{fabric}/${what}`,
      permissions: mayAuditFabric,
      parameters: { node, fabric: fabricId },
      handler: ({ world, params }) =>
        world.sdn.running.fabrics[params.fabric] === undefined ? die("No such file or directory (os error 2)") : [],
    }),
  ),
  endpoint({
    ...onNode,
    path: `${path}/fabrics/{fabric}/interfaces`,
    permissions: mayAuditFabric,
    parameters: { node, fabric: fabricId },
    handler: ({ world, params, node: here }) => {
      const { fabrics } = world.sdn.running;
      if (fabrics[params.fabric] === undefined) {
        die("No such file or directory (os error 2)");
      }
      const interfaces = [fabrics[`${params.fabric}_${here}`]?.options["interfaces"] ?? []].flat();
      return interfaces.map((text) => ({
        name: /name=([^,]+)/.exec(text)?.[1] ?? "",
        type: "Point-To-Point",
        state: "Up",
      }));
    },
  }),
];

/** pve-network `src/PVE/API2/Network/SDN/Nodes/*.pm`, and the dry run for one node. */
export const nodeSdnEndpoints = [
  indexEndpoint(path, "name", ["fabrics", "vnets", "zones"], { proxyTo: "node" }),
  ...zoneEndpoints,
  ...vnetEndpoints,
  ...fabricEndpoints,
  endpoint({
    ...onNode,
    path: "/cluster/sdn/dry-run",
    permissions: { check: ["perm", "/nodes/{node}", ["Sys.Audit"]] },
    parameters: { node },
    handler: ({ world, node: here }) => {
      const host = getNode(world, here);
      const next = compileRunning(world, 0);
      const names = (file: string, handle: number) => [file, `/proc/self/fd/${handle}`] as const;
      return {
        "frr-diff": unifiedDiff(host.frrConfig ?? "", frrConfig(next, host), names("/etc/frr/frr.conf", 12)) ?? null,
        "interfaces-diff":
          unifiedDiff(
            host.sdnInterfaces ?? "",
            sdnInterfaces(next, host, next.version),
            names("/etc/network/interfaces.d/sdn", 13),
          ) ?? null,
      };
    },
  }),
];
