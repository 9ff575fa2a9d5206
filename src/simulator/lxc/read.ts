import { endpoint } from "../core/kernel/endpoint.ts";
import { paramError } from "../core/kernel/failure.ts";
import type { Process } from "../core/kernel/process.ts";
import type { Simulation } from "../core/kernel/simulation.ts";
import type { FiguresOf } from "../core/kernel/statistics.ts";
import { configIdFormat } from "../core/schema/formats.ts";
import { boolean, string } from "../core/schema/schema.ts";
import { node, vmid } from "../core/schema/standard-options.ts";
import type { Guest, Section } from "../core/world/guest.ts";
import { getSnapshot } from "../core/world/guest.ts";
import { haStatus } from "../guests/ha.ts";
import { containerDigest, findContainer, getContainer, isTemplate, typedConfig } from "./container.ts";
import { parseMount } from "./mounts.ts";
import { parseNetwork } from "./networks.ts";
import { isNetworkKey } from "./options.ts";

const MiB = 2 ** 20;
/** The size that is shown for a root without a size. */
const defaultDisk = 4 * 2 ** 30;
/** The share of its memory that an idle container uses. */
const idleShare = 0.1;

function rootSize({ rootfs }: Section): number {
  return Number((rootfs === undefined ? undefined : parseMount("rootfs", rootfs)["size"]) ?? defaultDisk);
}

/** `vmstatus` of one container. */
function status({ world, clock }: Simulation, guest: Guest): Record<string, unknown> {
  const { vmid: id, config, run } = guest;
  const maxmem = Number(config["memory"] ?? 512) * MiB;
  const maxdisk = rootSize(config);
  const cores = Number(config["cores"] ?? config["cpulimit"] ?? 0);
  return {
    vmid: id,
    type: "lxc",
    status: run === undefined ? "stopped" : "running",
    name: config["hostname"] ?? `CT${id}`,
    cpus: cores === 0 ? (world.nodes[guest.node]?.cpus ?? 1) : cores,
    cpu: 0,
    maxmem,
    mem: run === undefined ? 0 : Math.round(maxmem * idleShare),
    maxswap: Number(config["swap"] ?? 0) * MiB,
    swap: 0,
    maxdisk,
    disk: run === undefined ? 0 : Math.round(maxdisk * idleShare),
    uptime: run === undefined ? 0 : Math.floor(clock.since(run.since)),
    netin: 0,
    netout: 0,
    diskread: 0,
    diskwrite: 0,
    ...(run !== undefined && { pid: run.pid }),
    ...(config["tags"] !== undefined && { tags: config["tags"] }),
    ...(config["template"] === "1" && { template: 1 }),
    ...(config["lock"] !== undefined && { lock: config["lock"] }),
  };
}

/** What pvestatd broadcasts about a container. */
export const containerFigures: FiguresOf = (sim, guest) => {
  const { cpus, ...figures } = status(sim, guest);
  const unshared = ["vmid", "type", "maxswap", "swap", "pid", "tags", "lock"];
  return {
    ...Object.fromEntries(Object.entries(figures).filter(([name]) => !unshared.includes(name))),
    maxcpu: cpus,
    template: isTemplate(guest) ? 1 : 0,
  };
};

/** The newest point of a container's statistics. */
export function containerSeries(sim: Simulation, guest: Guest): Record<string, unknown> {
  const { cpu, cpus, mem, maxmem, disk, maxdisk, netin, netout, diskread, diskwrite } = status(sim, guest);
  return { cpu, maxcpu: cpus, mem, maxmem, disk, maxdisk, netin, netout, diskread, diskwrite };
}

/**
 * `load_current_config` of pve-guest-common `src/PVE/AbstractConfig.pm`: with pending changes, unless the current values are
 * requested. It leaves out what a restart removes, except for values that Perl takes for false.
 */
function currentConfig({ config, pending }: Guest, isCurrent: boolean): Section {
  if (isCurrent) {
    return config;
  }
  const isShown = ([key, value]: [string, string]) =>
    pending.delete[key] === undefined || value === "0" || value === "";
  return Object.fromEntries(Object.entries({ ...config, ...pending.set }).filter(isShown));
}

/**
 * `delete_read_restricted_options` of pve-container `src/PVE/LXC.pm` intends to hide the environment from callers that
 * may not change options, but its check dies.
 */
function checkEnvironmentAccess({ caller }: Process, id: number, section: Section): void {
  if (section["env"] !== undefined) {
    caller.checkVm(id, undefined, ["VM.Config.Options"]);
  }
}

/** `config_with_pending_array`. */
function pendingItems(guest: Guest): Record<string, unknown>[] {
  const { config, pending } = guest;
  const typed = typedConfig(config);
  const waiting = typedConfig(pending.set);
  const known = Object.keys(config).map((key) => ({
    key,
    value: typed[key],
    ...(waiting[key] !== undefined && { pending: waiting[key] }),
    ...(pending.delete[key] !== undefined && { delete: 1 }),
  }));
  const added = Object.keys(waiting)
    .filter((key) => config[key] === undefined)
    .map((key) => ({ key, pending: waiting[key] }));
  return [...known, ...added, { key: "digest", value: containerDigest(guest) }];
}

const common = { method: "GET", proxyTo: "node" } as const;
const mayAudit = { check: ["perm", "/vms/{vmid}", ["VM.Audit"]] } as const;

export const containerReadEndpoints = [
  endpoint({
    ...common,
    path: "/nodes/{node}/lxc",
    protected: true,
    permissions: { user: "all" },
    parameters: { node },
    handler: ({ sim, world, caller, node: here }) =>
      Object.values(world.guests)
        .filter((guest) => guest.type === "lxc" && guest.node === here)
        .filter((guest) => caller.has(`/vms/${guest.vmid}`, ["VM.Audit"]))
        .map((guest) => status(sim, guest)),
  }),
  endpoint({
    ...common,
    path: "/nodes/{node}/lxc/{vmid}",
    permissions: { user: "all" },
    parameters: { node, vmid },
    handler: (call) => {
      getContainer(call, call.params.vmid);
      return `config pending status vncproxy termproxy vncwebsocket spiceproxy migrate clone rrd rrddata firewall snapshot
        resize interfaces`
        .split(/\s+/)
        .map((subdir) => ({ subdir }));
    },
  }),
  endpoint({
    ...common,
    path: "/nodes/{node}/lxc/{vmid}/config",
    permissions: mayAudit,
    parameters: {
      node,
      vmid,
      current: boolean({ optional: true, default: 0 }),
      snapshot: string({ optional: true, format: configIdFormat, maxLength: 40 }),
    },
    handler: (call) => {
      const { snapshot, current, vmid: id } = call.params;
      if (snapshot && current === 1) {
        const text = "cannot use 'snapshot' parameter with 'current'";
        paramError({ snapshot: text, current: text });
      }
      const guest = getContainer(call, id);
      const section = snapshot ? getSnapshot(guest, snapshot) : currentConfig(guest, current === 1);
      checkEnvironmentAccess(call, id, section);
      return { ...typedConfig(section), digest: containerDigest(guest) };
    },
  }),
  endpoint({
    ...common,
    path: "/nodes/{node}/lxc/{vmid}/pending",
    permissions: mayAudit,
    parameters: { node, vmid },
    handler: (call) => {
      const guest = getContainer(call, call.params.vmid);
      checkEnvironmentAccess(call, guest.vmid, { ...guest.config, ...guest.pending.set });
      return pendingItems(guest);
    },
  }),
  endpoint({
    ...common,
    path: "/nodes/{node}/lxc/{vmid}/status",
    permissions: { user: "all" },
    parameters: { node, vmid },
    handler: (call) => {
      getContainer(call, call.params.vmid);
      return ["current", "start", "stop", "shutdown", "reboot", "migrate"].map((subdir) => ({ subdir }));
    },
  }),
  endpoint({
    ...common,
    path: "/nodes/{node}/lxc/{vmid}/status/current",
    protected: true,
    permissions: mayAudit,
    parameters: { node, vmid },
    handler: (call) => {
      const id = call.params.vmid;
      return { ...status(call.sim, getContainer(call, id)), ha: haStatus(call.world, "CT", id) };
    },
  }),
  endpoint({
    ...common,
    path: "/nodes/{node}/lxc/{vmid}/interfaces",
    protected: true,
    permissions: mayAudit,
    parameters: { node, vmid },
    handler: (call) => {
      const guest = findContainer(call.world, call.params.vmid, call.node);
      return guest?.run === undefined ? null : interfaces(guest.config, guest.vmid);
    },
  }),
];

/**
 * The output of `ip address` in the container: the loopback device and each network with its static or leased address.
 */
function interfaces(config: Section, id: number): Record<string, unknown>[] {
  const loopback = {
    name: "lo",
    hwaddr: "00:00:00:00:00:00",
    "hardware-address": "00:00:00:00:00:00",
    inet: "127.0.0.1/8",
    inet6: "::1/128",
    "ip-addresses": [
      { "ip-address": "127.0.0.1", "ip-address-type": "inet", prefix: "8" },
      { "ip-address": "::1", "ip-address-type": "inet6", prefix: "128" },
    ],
  };
  const devices = Object.keys(config)
    .filter(isNetworkKey)
    .sort()
    .map((key, index) => {
      const { name, hwaddr, ip, ip6 } = parseNetwork(config[key] ?? "");
      const inet = ip === "dhcp" ? `198.51.100.${((id + index) % 250) + 1}/24` : ip === "manual" ? undefined : ip;
      const inet6 = ip6?.includes("/") ? ip6 : undefined;
      return {
        name,
        hwaddr: hwaddr?.toLowerCase(),
        "hardware-address": hwaddr?.toLowerCase(),
        ...(inet !== undefined && { inet }),
        ...(inet6 !== undefined && { inet6 }),
        "ip-addresses": [...addressEntry("inet", inet), ...addressEntry("inet6", inet6)],
      };
    });
  return [loopback, ...devices];
}

function addressEntry(type: "inet" | "inet6", cidr: string | undefined): Record<string, string>[] {
  const [address, prefix] = cidr?.split("/") ?? [];
  return address === undefined || prefix === undefined
    ? []
    : [{ "ip-address": address, "ip-address-type": type, prefix }];
}
