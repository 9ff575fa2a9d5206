import { endpoint } from "../core/kernel/endpoint.ts";
import { indexEndpoint } from "../core/kernel/index-endpoint.ts";
import { boolean, integer, string } from "../core/schema/schema.ts";
import { typedOptions } from "../core/sections/section-config.ts";
import type { World } from "../core/world/world.ts";
import { requestedState } from "../guests/ha.ts";
import { managedNodes } from "./manager-nodes.ts";

/** `Mon Nov 16 03:05:06 2026`, as Perl's `localtime` prints it. */
function localTime(seconds: number): string {
  const [day, month, date, year, time] = new Date(seconds * 1000).toUTCString().replace(",", "").split(" ").map(String);
  return `${day} ${date} ${String(Number(month)).padStart(2)} ${time} ${year}`;
}

/** `get_verbose_service_state`: the state in the web interface, ahead of the manager where the result is clear. */
function verboseState(world: World, sid: string): string {
  const resource = world.ha.resources[sid];
  if (resource === undefined) {
    return "deleting";
  }
  const requested = requestedState(resource);
  if (requested === "ignored" || world.ha.disarmed === "ignore") {
    return requested === "ignored" ? "ignored" : "ignore";
  }
  const guest = world.guests[sid.replace(/^\w+:/, "")];
  if (guest === undefined) {
    return "not found";
  }
  const current = world.ha.services[sid]?.state ?? "queued";
  if (current === "stopped") {
    return requested === "started" ? "starting" : requested === "disabled" ? "disabled" : current;
  }
  if (current === "started") {
    if (guest.run === undefined) {
      return "starting";
    }
    return requested === "stopped" || requested === "disabled" ? "stopping" : current;
  }
  return current === "error" && requested === "disabled" ? "clearing error flag" : current;
}

const numeric = {
  failback: boolean({ optional: true }),
  max_restart: integer({ optional: true }),
  max_relocate: integer({ optional: true }),
};

function serviceEntry(world: World, sid: string): Record<string, unknown> {
  const service = world.ha.services[sid];
  const resource = world.ha.resources[sid];
  const node = service?.node ?? world.guests[sid.replace(/^\w+:/, "")]?.node;
  const state = verboseState(world, sid);
  const { state: _, ...options } = resource?.options ?? {};
  return {
    id: `service:${sid}`,
    type: "service",
    sid,
    ...(node !== undefined && { node }),
    ...(service !== undefined && { crm_state: service.state }),
    state,
    status: `${sid} (${node ?? "---"}, ${state})`,
    ...(resource !== undefined && {
      failback: 1,
      max_restart: 1,
      max_relocate: 1,
      ...typedOptions(options, numeric),
      request_state: requestedState(resource),
    }),
  };
}

function managerEntries(world: World, now: number): Record<string, unknown>[] {
  const nodes = managedNodes(world);
  const { local } = world.cluster;
  const isActive = Object.keys(world.ha.services).length > 0;
  const { disarmed } = world.ha;
  const armed = disarmed === undefined ? (isActive ? "armed" : "standby") : "disarmed";
  const watchdog = { armed: "active", standby: "standby", disarmed: "released" }[armed];
  const fencing = {
    id: "fencing",
    type: "fencing",
    node: local,
    status: `${armed}${disarmed === undefined ? "" : `, resource mode: ${disarmed}`} (CRM watchdog ${watchdog})`,
    "armed-state": armed,
    ...(disarmed !== undefined && { resource_mode: disarmed }),
  };
  if (nodes.length === 0) {
    return [fencing];
  }
  const timestamp = Math.floor(now);
  const mode = isActive ? "active" : "idle";
  return [
    {
      id: "master",
      type: "master",
      node: local,
      status: `${local} (${mode}, ${localTime(now)})`,
      timestamp,
    },
    fencing,
    ...nodes.map((node) => {
      const isBusy = Object.values(world.ha.services).some((service) => service.node === node);
      const isOnline = world.nodes[node]?.online ?? false;
      const state = isOnline ? (isBusy ? "active" : "idle") : "old timestamp - dead?";
      const text = `${node} (${state}, watchdog ${isBusy && isOnline ? "active" : "standby"}, ${localTime(now)})`;
      return { id: `lrm:${node}`, type: "lrm", node, status: text, timestamp };
    }),
  ];
}

const mayRead = { check: ["perm", "/", ["Sys.Audit"]] } as const;
const mayWrite = { check: ["perm", "/", ["Sys.Console"]] } as const;

/** pve-ha-manager `src/PVE/API2/HA/Status.pm`. */
export const haStatusEndpoints = [
  indexEndpoint("/cluster/ha", "id", ["status", "resources", "groups", "rules"], { permissions: mayRead }),
  indexEndpoint("/cluster/ha/status", "name", ["current", "manager_status", "disarm-ha", "arm-ha"]),
  endpoint({
    method: "GET",
    path: "/cluster/ha/status/current",
    permissions: mayRead,
    parameters: {},
    handler: ({ world, sim }) => {
      const known = Object.keys(world.ha.services).sort();
      const queued = Object.keys(world.ha.resources)
        .filter((sid) => !known.includes(sid))
        .sort();
      return [
        { id: "quorum", type: "quorum", node: world.cluster.local, status: "OK", quorate: 1 },
        ...managerEntries(world, sim.clock.now()),
        ...[...known, ...queued].map((sid) => serviceEntry(world, sid)),
      ];
    },
  }),
  endpoint({
    method: "GET",
    path: "/cluster/ha/status/manager_status",
    permissions: mayRead,
    parameters: {},
    handler: ({ world, sim }) => {
      const nodes = managedNodes(world);
      const timestamp = Math.floor(sim.clock.now());
      const status = {
        master_node: world.cluster.local,
        timestamp,
        node_status: Object.fromEntries(nodes.map((node) => [node, world.nodes[node]?.online ? "online" : "unknown"])),
        service_status: world.ha.services,
      };
      const lrm = nodes.map((node) => [node, { mode: "active", state: "active", timestamp, results: {} }]);
      return {
        manager_status: nodes.length === 0 ? {} : status,
        quorum: { node: world.cluster.local, quorate: "1" },
        ...(nodes.length > 0 && { lrm_status: Object.fromEntries(lrm) }),
      };
    },
  }),
  endpoint({
    method: "POST",
    path: "/cluster/ha/status/disarm-ha",
    protected: true,
    permissions: mayWrite,
    parameters: { "resource-mode": string({ enum: ["freeze", "ignore"] }) },
    handler: ({ world, params }) => {
      world.ha.disarmed = params["resource-mode"];
      return null;
    },
  }),
  endpoint({
    method: "POST",
    path: "/cluster/ha/status/arm-ha",
    protected: true,
    permissions: mayWrite,
    parameters: {},
    handler: ({ world }) => {
      delete world.ha.disarmed;
      return null;
    },
  }),
];
