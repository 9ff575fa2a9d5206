import { endpoint } from "../core/kernel/endpoint.ts";
import { die, paramError } from "../core/kernel/failure.ts";
import { formatIp, type IpAddress, parseIp } from "../core/schema/ip-address.ts";
import { parsePropertyString } from "../core/schema/property-string.ts";
import { array, string } from "../core/schema/schema.ts";
import type { SectionOptions } from "../core/world/section.ts";
import {
  getFabric,
  getFabricNode,
  listFabricNodes,
  nodeKey,
  nodesOfFabric,
  normalInterfaces,
} from "./fabric-config.ts";
import { changeFabrics, nodeReaders, seesFabric, viewFabrics } from "./fabric-endpoints.ts";
import { interfacePropertiesFormat, nodeProperties } from "./fabric-options.ts";
import { views } from "./sections.ts";

const path = "/cluster/sdn/fabrics/node";
const open = { additionalProperties: true } as const;
const { fabric_id: fabricParameter, node_id: nodeParameter } = nodeProperties;
const both = { fabric_id: fabricParameter, node_id: nodeParameter };

const mayChange = {
  check: ["and", ["perm", "/sdn/fabrics/{fabric_id}", ["SDN.Allocate"]], ["perm", "/nodes/{node_id}", ["Sys.Modify"]]],
} as const;

/** An interface of OSPF has fewer properties than the common schema of both protocols. */
function checkInterfaces(protocol: string, interfaces: readonly string[]): void {
  for (const [index, text] of interfaces.entries()) {
    const parsed = parsePropertyString(interfacePropertiesFormat, text);
    const foreign =
      protocol === "ospf" ? ["hello_multiplier", "ip6"].find((name) => parsed[name] !== undefined) : undefined;
    if (foreign !== undefined) {
      const place = `interfaces[${index}]`;
      const text = "property is not defined in schema and the schema does not allow additional properties";
      paramError({ [place]: `invalid format - format error\n${place}.${foreign}: ${text}\n` });
    }
  }
}

interface NodeParams {
  readonly ip?: string | undefined;
  readonly ip6?: string | undefined;
  readonly interfaces?: string[] | undefined;
}

function optionsOf({ ip, ip6, interfaces }: NodeParams): SectionOptions {
  return {
    ...(ip !== undefined && { ip }),
    ...(ip6 !== undefined && { ip6: formatIp(parseIp(ip6) as IpAddress) }),
    ...(interfaces !== undefined && { interfaces: normalInterfaces(interfaces) }),
  };
}

const readEndpoints = [
  endpoint({
    ...open,
    method: "GET",
    path,
    permissions: { user: "all" },
    parameters: views,
    // The same node of another fabric replaces the previous one.
    handler: ({ world, params, caller }) => {
      const byName = viewFabrics(world, params, (sections) =>
        Object.fromEntries(Object.values(listFabricNodes(sections)).map((entry) => [String(entry["node_id"]), entry])),
      );
      return Object.entries(byName)
        .filter(
          ([name, entry]) => seesFabric(caller, entry["fabric_id"]) && caller.hasAny(`/nodes/${name}`, nodeReaders),
        )
        .map(([, entry]) => entry);
    },
  }),
  endpoint({
    ...open,
    method: "GET",
    path: `${path}/{fabric_id}`,
    permissions: { check: ["perm", "/sdn/fabrics/{fabric_id}", ["SDN.Audit"]] },
    parameters: { ...views, fabric_id: fabricParameter },
    handler: ({ world, params, caller }) =>
      Object.entries(viewFabrics(world, params, (sections) => nodesOfFabric(sections, params.fabric_id)))
        .filter(([name]) => caller.hasAny(`/nodes/${name}`, nodeReaders))
        .map(([, entry]) => entry),
  }),
  endpoint({
    ...open,
    method: "GET",
    path: `${path}/{fabric_id}/{node_id}`,
    permissions: {
      check: [
        "and",
        ["perm", "/sdn/fabrics/{fabric_id}", ["SDN.Audit", "SDN.Allocate"], { any: true }],
        ["perm", "/nodes/{node_id}", nodeReaders, { any: true }],
      ],
    },
    parameters: both,
    handler: ({ world, params }) => {
      const { fabric_id: fabric, node_id: node } = params;
      getFabricNode(world.sdn.fabrics, fabric, node);
      return viewFabrics(world, {}, (sections) => nodesOfFabric(sections, fabric))[node];
    },
  }),
];

const writeEndpoints = [
  endpoint({
    ...open,
    method: "POST",
    path: `${path}/{fabric_id}`,
    protected: true,
    permissions: mayChange,
    parameters: nodeProperties,
    handler: (call) => {
      const { fabric_id: fabric, node_id: node, protocol } = call.params;
      checkInterfaces(protocol, call.params.interfaces ?? []);
      return changeFabrics(call, "adding node failed", (sections, checkDigest) => {
        checkDigest();
        if (getFabric(sections, fabric).options["protocol"] !== protocol) {
          die("node has a different protocol than the referenced fabric");
        }
        if (sections[nodeKey(fabric, node)] !== undefined) {
          die(`node '${node}' already exists in config for fabric ${fabric}`);
        }
        sections[nodeKey(fabric, node)] = {
          type: `${protocol}_node`,
          options: { fabric_id: fabric, node_id: node, protocol, ...optionsOf(call.params) },
        };
      });
    },
  }),
  endpoint({
    ...open,
    method: "PUT",
    path: `${path}/{fabric_id}/{node_id}`,
    protected: true,
    permissions: mayChange,
    parameters: {
      ...nodeProperties,
      delete: array(string({ enum: ["interfaces", "ip", "ip6"] }), { optional: true }),
    },
    handler: (call) => {
      const { fabric_id: fabric, node_id: node, protocol, delete: deletions = [] } = call.params;
      checkInterfaces(protocol, call.params.interfaces ?? []);
      return changeFabrics(call, "updating node failed", (sections, checkDigest) => {
        checkDigest();
        const section = getFabricNode(sections, fabric, node);
        if (section.options["protocol"] !== protocol) {
          die("node has a different protocol than the referenced fabric");
        }
        const options = { ...section.options, ...optionsOf(call.params) };
        section.options = Object.fromEntries(
          Object.entries(options).filter(([name]) => !(deletions as string[]).includes(name)),
        );
      });
    },
  }),
  endpoint({
    ...open,
    method: "DELETE",
    path: `${path}/{fabric_id}/{node_id}`,
    protected: true,
    permissions: mayChange,
    parameters: both,
    handler: (call) =>
      changeFabrics(call, "deleting node failed", (sections, checkDigest) => {
        const { fabric_id: fabric, node_id: node } = call.params;
        checkDigest();
        getFabricNode(sections, fabric, node);
        delete sections[nodeKey(fabric, node)];
      }),
  }),
];

/** pve-network `src/PVE/API2/Network/SDN/Fabrics/{Node,FabricNode}.pm`. */
export const fabricNodeEndpoints = [...readEndpoints, ...writeEndpoints];
