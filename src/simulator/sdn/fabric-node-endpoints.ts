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
import {
  interfaceKeys,
  interfacePropertiesFormat,
  nodeDeletions,
  nodeProperties,
  type Protocol,
} from "./fabric-options.ts";
import { views } from "./sections.ts";

const path = "/cluster/sdn/fabrics/node";
const open = { additionalProperties: true } as const;
const { fabric_id: fabricParameter, node_id: nodeParameter } = nodeProperties;
const both = { fabric_id: fabricParameter, node_id: nodeParameter };

const mayChange = {
  check: ["and", ["perm", "/sdn/fabrics/{fabric_id}", ["SDN.Allocate"]], ["perm", "/nodes/{node_id}", ["Sys.Modify"]]],
} as const;

/** An interface of each protocol has some of the properties that the common schema has. */
function checkInterfaces(protocol: Protocol, interfaces: readonly string[]): void {
  for (const [index, text] of interfaces.entries()) {
    const parsed = parsePropertyString(interfacePropertiesFormat, text);
    const foreign = Object.keys(parsed).find((name) => !interfaceKeys[protocol].includes(name));
    if (foreign !== undefined) {
      const place = `interfaces[${index}]`;
      const text = "property is not defined in schema and the schema does not allow additional properties";
      paramError({ [place]: `invalid format - format error\n${place}.${foreign}: ${text}\n` });
    }
  }
}

function checkDeletions(protocol: Protocol, deletions: readonly string[]): void {
  for (const [index, name] of deletions.entries()) {
    const names = nodeDeletions[protocol];
    if (!names.includes(name)) {
      const text = `value '${name}' does not have a value in the enumeration '${names.join(", ")}'`;
      paramError({ [`delete[${index}]`]: text });
    }
  }
}

/** Without a list of interfaces, an update of a WireGuard node of the cluster removes them all. */
const withAllInterfaces = (given: SectionOptions, before: SectionOptions): SectionOptions =>
  before["protocol"] === "wireguard" && before["role"] === "internal" && given["interfaces"] === undefined
    ? { ...given, interfaces: [] }
    : given;

interface NodeCall {
  readonly params: {
    readonly node_id: string;
    readonly ip?: string | undefined;
    readonly ip6?: string | undefined;
    readonly interfaces?: string[] | undefined;
    readonly allowed_ips?: string[] | undefined;
    readonly peers?: string[] | undefined;
    readonly endpoint?: string | undefined;
    readonly public_key?: string | undefined;
    readonly role?: string | undefined;
  };
  readonly given: Readonly<Record<string, string>>;
}

function optionsOf({ params, given }: NodeCall, protocol: Protocol): SectionOptions {
  const { ip, ip6, interfaces, node_id: node } = params;
  const { role, endpoint: address, public_key: key, allowed_ips: allowed, peers } = params;
  const isExternal = role === "external";
  const plain = { role, endpoint: address, allowed_ips: allowed, ...(isExternal ? { public_key: key } : { peers }) };
  const own = { openfabric: {}, ospf: {}, wireguard: plain, bgp: { role, asn: given["asn"] } }[protocol];
  return {
    ...(ip !== undefined && { ip }),
    ...(ip6 !== undefined && { ip6: formatIp(parseIp(ip6) as IpAddress) }),
    ...(interfaces !== undefined && { interfaces: normalInterfaces(protocol, node, interfaces) }),
    ...Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined)),
  };
}

/** What Rust requires of a new node besides what the schema does. */
function checkNewNode({ role, endpoint: address, public_key: key, asn }: SectionOptions, protocol: Protocol): void {
  const needed = { wireguard: { role }, bgp: { role, asn }, openfabric: {}, ospf: {} }[protocol];
  const ofExternal = protocol === "wireguard" && role === "external" ? { endpoint: address, public_key: key } : {};
  const missing = Object.entries({ ...needed, ...ofExternal }).find(([, value]) => value === undefined);
  if (missing !== undefined) {
    die(`error: missing field \`${missing[0]}\``);
  }
  if (key !== undefined && !/^[A-Za-z0-9+/]{43}=$/.test(String(key))) {
    die("error: invalid public key");
  }
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
        const options = optionsOf(call, protocol);
        checkNewNode(options, protocol);
        sections[nodeKey(fabric, node)] = {
          type: `${protocol}_node`,
          options: { fabric_id: fabric, node_id: node, protocol, ...options },
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
      delete: array(string(), { optional: true }),
    },
    handler: (call) => {
      const { fabric_id: fabric, node_id: node, protocol, delete: deletions = [] } = call.params;
      checkInterfaces(protocol, call.params.interfaces ?? []);
      checkDeletions(protocol, deletions);
      return changeFabrics(call, "updating node failed", (sections, checkDigest) => {
        checkDigest();
        const section = getFabricNode(sections, fabric, node);
        if (section.options["protocol"] !== protocol) {
          die("node has a different protocol than the referenced fabric");
        }
        const { role } = call.params;
        if (role !== undefined && section.options["role"] !== undefined && role !== section.options["role"]) {
          die("cannot change role of existing WireGuard node");
        }
        const options = { ...section.options, ...withAllInterfaces(optionsOf(call, protocol), section.options) };
        section.options = Object.fromEntries(Object.entries(options).filter(([name]) => !deletions.includes(name)));
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
