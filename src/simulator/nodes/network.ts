import { type Call, endpoint } from "../core/kernel/endpoint.ts";
import { paramError } from "../core/kernel/failure.ts";
import { splitList } from "../core/schema/format.ts";
import { configIdListFormat } from "../core/schema/formats.ts";
import { boolean, string } from "../core/schema/schema.ts";
import { node } from "../core/schema/standard-options.ts";
import { getNode, type Node } from "../core/world/node.ts";
import { checkConflicts, checkIPv6, splitCidr } from "../network/interface-checks.ts";
import { iface, interfaceOptions, interfaceTypes } from "../network/interface-options.ts";
import { type Interface, type Interfaces, requireOpenVSwitch, wordsOf } from "../network/interfaces-file.ts";
import { pendingChanges, stage, staged, unstage } from "../network/staged.ts";
import { reloadNode } from "../sdn/apply.ts";
import { mayUseBridge } from "../sdn/bridge-access.ts";
import { localFabrics, localVnets } from "../sdn/vnets.ts";

const isBridge = ({ type }: Interface) => type === "bridge" || type === "OVSBridge";

/** An interface as the API shows it: the options of the file, and whether it is up. */
function describe(host: Node, name: string): Interface {
  const { active: _, ...entry } = staged(host)[name] ?? paramError({ iface: "interface does not exist" });
  return { ...entry, ...(host.interfaces[name]?.["type"] !== undefined && { active: 1 }) };
}

const normalVids = (vids: string) => splitList(vids).join(" ");

/** The given options with the options that follow from them. */
function complete(given: Interface): Interface {
  const split = splitCidr(given);
  checkIPv6(split);
  const families = [...(split["address"] ? ["inet"] : []), ...(split["address6"] ? ["inet6"] : [])];
  return {
    ...split,
    families: families.length > 0 ? families : ["inet"],
    method: split["address"] ? "static" : "manual",
    method6: split["address6"] ? "static" : "manual",
  };
}

function checkVids({ bridge_vids: vids }: Interface): void {
  if (vids && splitList(String(vids)).length === 0) {
    paramError({ bridge_vids: "VLAN list items are empty" });
  }
}

const isOfBridge = ({ type }: Interface) => type === "OVSIntPort" || type === "OVSBond";

/** A new port or bond of an Open vSwitch becomes a port of its bridge. */
function joinBridge(interfaces: Interfaces, name: string, entry: Interface): void {
  if (!isOfBridge(entry)) {
    return;
  }
  const bridge = String(entry["ovs_bridge"] || paramError({ ovs_bridge: "parameter is required" }));
  const found = interfaces[bridge] ?? paramError({ ovs_bridge: `bridge '${bridge}' does not exist` });
  if (found["type"] !== "OVSBridge") {
    paramError({ ovs_bridge: `interface '${bridge}' is no OVS bridge` });
  }
  found["ovs_ports"] = [...new Set([...wordsOf(found["ovs_ports"]), name])].join(" ");
}

function leaveBridge(interfaces: Interfaces, name: string): void {
  const entry = interfaces[name] as Interface;
  const bridge = isOfBridge(entry) ? interfaces[String(entry["ovs_bridge"])] : undefined;
  if (bridge?.["ovs_ports"]) {
    bridge["ovs_ports"] = wordsOf(bridge["ovs_ports"])
      .filter((port) => port !== name)
      .join(" ");
  }
}

function optionsOf(call: Call<Record<string, unknown>>): Interface {
  const { node: _, iface: __, delete: ___, ...options } = call.params;
  return options;
}

/** `any_bridge` and similar filters match several types; vnets are bridges, too. */
function list(call: Pick<Call, "caller" | "world" | "node">, filter: string | undefined): Interface[] {
  const host = getNode(call.world, call.node);
  const matches = (name: string) => {
    const entry = staged(host)[name] as Interface;
    if (name === "lo") {
      return false;
    }
    const isWanted =
      filter === undefined ||
      filter === "include_sdn" ||
      filter === entry["type"] ||
      (/^any(?:_local)?_bridge$/.test(filter) && isBridge(entry));
    return isWanted && (!isBridge(entry) || mayUseBridge(call.world, call.caller, "localnetwork", name));
  };
  const vnets = /^(?:any_bridge|include_sdn|vnet)$/.test(filter ?? "")
    ? localVnets(call.world, call.caller, call.node)
    : {};
  const fabrics = /^(?:include_sdn|fabric)$/.test(filter ?? "") ? localFabrics(call.world, call.caller, call.node) : {};
  return [
    ...Object.keys(staged(host))
      .filter(matches)
      .sort()
      .map((name): Interface => ({ ...describe(host, name), iface: name })),
    ...Object.entries({ ...vnets, ...fabrics }).map(([name, entry]): Interface => ({ ...entry, iface: name })),
  ];
}

const path = "/nodes/{node}/network";
const mayWrite = { check: ["perm", "/nodes/{node}", ["Sys.Modify"]] } as const;
const writes = { protected: true, proxyTo: "node", permissions: mayWrite } as const;

/** pve-manager `PVE/API2/Network.pm`. */
export const networkEndpoints = [
  endpoint({
    method: "GET",
    path,
    proxyTo: "node",
    permissions: { user: "all" },
    parameters: {
      node,
      type: string({ optional: true, enum: [...interfaceTypes, "any_bridge", "any_local_bridge", "include_sdn"] }),
    },
    handler: (call) => {
      const changes = pendingChanges(getNode(call.world, call.node));
      if (changes !== undefined) {
        call.envelope["changes"] = changes;
      }
      return list(call, call.params.type);
    },
  }),
  endpoint({
    ...writes,
    method: "POST",
    path,
    parameters: { node, iface, ...interfaceOptions },
    handler: (call) => {
      const name = call.params.iface;
      const options = optionsOf(call);
      return stage(getNode(call.world, call.node), (interfaces) => {
        if (interfaces[name] !== undefined) {
          paramError({ iface: "interface already exists" });
        }
        checkConflicts(interfaces, name, options);
        const entry = complete(options);
        if (String(entry["type"]).startsWith("OVS")) {
          requireOpenVSwitch(getNode(call.world, call.node));
        }
        joinBridge(interfaces, name, entry);
        checkVids(entry);
        interfaces[name] = {
          ...entry,
          ...(entry["bridge_vids"] ? { bridge_vids: normalVids(String(entry["bridge_vids"])) } : {}),
        };
      });
    },
  }),
  endpoint({
    ...writes,
    method: "PUT",
    path,
    parameters: { node, "regenerate-frr": boolean({ optional: true, default: 0 }) },
    handler: (call) =>
      call.worker("srvreload", "networking", (task) => {
        const regenerate = call.params["regenerate-frr"];
        reloadNode(task, regenerate === undefined ? undefined : regenerate === 1);
      }),
  }),
  endpoint({
    ...writes,
    method: "DELETE",
    path,
    parameters: { node },
    handler: ({ world, node: here }) => {
      unstage(getNode(world, here));
      return null;
    },
  }),
  endpoint({
    method: "GET",
    path: `${path}/{iface}`,
    proxyTo: "node",
    permissions: { check: ["perm", "/nodes/{node}", ["Sys.Audit"]] },
    parameters: { node, iface },
    handler: ({ params, world, node: here }) => describe(getNode(world, here), params.iface),
  }),
  endpoint({
    ...writes,
    method: "PUT",
    path: `${path}/{iface}`,
    parameters: {
      node,
      iface,
      ...interfaceOptions,
      delete: string({ optional: true, format: configIdListFormat }),
    },
    handler: (call) => {
      const name = call.params.iface;
      const options = optionsOf(call);
      return stage(getNode(call.world, call.node), (interfaces) => {
        const entry = interfaces[name] ?? paramError({ iface: "interface does not exist" });
        for (const option of splitList(call.params.delete ?? "")) {
          const suffix = option === "cidr6" ? "6" : "";
          const parts = option.startsWith("cidr") ? [`address${suffix}`, `netmask${suffix}`] : [];
          for (const deleted of [option, ...parts]) {
            delete entry[deleted];
          }
        }
        const split = splitCidr(options);
        checkConflicts(interfaces, name, split);
        Object.assign(entry, complete(split));
        checkVids(split);
      });
    },
  }),
  endpoint({
    ...writes,
    method: "DELETE",
    path: `${path}/{iface}`,
    parameters: { node, iface },
    handler: ({ params, world, node: here }) =>
      stage(getNode(world, here), (interfaces) => {
        if (interfaces[params.iface] === undefined) {
          paramError({ iface: "interface does not exist" });
        }
        leaveBridge(interfaces, params.iface);
        delete interfaces[params.iface];
      }),
  }),
];
