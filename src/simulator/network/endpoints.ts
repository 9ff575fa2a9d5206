import { type Call, endpoint } from "../kernel/endpoint.ts";
import { paramError } from "../kernel/failure.ts";
import { getNode } from "../nodes/list.ts";
import { splitList } from "../schema/format.ts";
import { configIdListFormat } from "../schema/formats.ts";
import { boolean, string } from "../schema/schema.ts";
import { node } from "../schema/standard-options.ts";
import { reloadNode } from "../sdn/apply.ts";
import { mayUseBridge } from "../sdn/bridge-access.ts";
import { localVnets } from "../sdn/vnets.ts";
import type { Node } from "../world/node.ts";
import { checkConflicts, checkFile, splitCidr } from "./interface-checks.ts";
import { iface, interfaceOptions, interfaceTypes } from "./interface-options.ts";
import { type Interface, type Interfaces, pendingChanges } from "./interfaces-file.ts";
import { staged } from "./staged.ts";

const isBridge = ({ type }: Interface) => type === "bridge" || type === "OVSBridge";

function describe(host: Node, name: string): Interface {
  const entry = staged(host)[name] ?? paramError({ iface: "interface does not exist" });
  const { address, netmask, address6, netmask6 } = entry;
  const isRunning = host.interfaces[name] !== undefined;
  return {
    method: "manual",
    method6: "manual",
    families: ["inet"],
    priority: Object.keys(staged(host)).sort().indexOf(name) + 3,
    ...(entry["type"] === "bridge" && { bridge_stp: "off", bridge_fd: "0", bridge_ports: "" }),
    ...entry,
    ...(address !== undefined && netmask !== undefined && { cidr: `${address}/${netmask}` }),
    ...(address6 !== undefined && netmask6 !== undefined && { cidr6: `${address6}/${netmask6}` }),
    ...(isRunning && entry["type"] === "eth" && { exists: 1 }),
    ...(isRunning && { active: 1 }),
  };
}

/** Writes interfaces.new, unless the whole would not work. */
function stage(host: Node, change: (interfaces: Interfaces) => void): null {
  const next = structuredClone(staged(host));
  change(next);
  checkFile(next);
  host.newInterfaces = next;
  return null;
}

/** The given options with what follows from them. */
function complete(given: Interface): Interface {
  const split = splitCidr(given);
  const vids = split["bridge_vids"];
  if (vids && splitList(String(vids)).length === 0) {
    paramError({ bridge_vids: "VLAN list items are empty" });
  }
  const families = [...(split["address"] ? ["inet"] : []), ...(split["address6"] ? ["inet6"] : [])];
  return {
    ...split,
    ...(vids ? { bridge_vids: splitList(String(vids)).join(" ") } : {}),
    ...(split["comments"] ? { comments: `${String(split["comments"]).replace(/\n$/, "")}\n` } : {}),
    families: families.length > 0 ? families : ["inet"],
    method: split["address"] ? "static" : "manual",
    method6: split["address6"] ? "static" : "manual",
  };
}

function optionsOf(call: Call<Record<string, unknown>>): Interface {
  const { node: _, iface: __, delete: ___, ...options } = call.params;
  return options;
}

/** `any_bridge` and its like name several types at once; vnets of the cluster's network are bridges, too. */
function list(call: Pick<Call, "caller" | "world" | "node">, filter: string | undefined): Interface[] {
  const host = getNode(call.world, call.node);
  const matches = (name: string) => {
    const entry = staged(host)[name] as Interface;
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
  return [
    ...Object.keys(staged(host))
      .filter(matches)
      .sort()
      .map((name): Interface => ({ ...describe(host, name), iface: name })),
    ...Object.entries(vnets).map(([name, entry]): Interface => ({ ...entry, iface: name })),
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
      const { interfaces, newInterfaces } = getNode(call.world, call.node);
      if (newInterfaces !== undefined) {
        call.envelope["changes"] = pendingChanges(interfaces, newInterfaces);
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
        interfaces[name] = complete(options);
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
      delete getNode(world, here).newInterfaces;
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
          for (const gone of [option, ...parts]) {
            delete entry[gone];
          }
        }
        checkConflicts(interfaces, name, options);
        Object.assign(entry, complete(options));
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
        delete interfaces[params.iface];
      }),
  }),
];
