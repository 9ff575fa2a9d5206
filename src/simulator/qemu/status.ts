import { endpoint } from "../core/kernel/endpoint.ts";
import { onGuest } from "../core/kernel/on-node.ts";
import type { Simulation } from "../core/kernel/simulation.ts";
import { parsePropertyString } from "../core/schema/property-string.ts";
import { boolean } from "../core/schema/schema.ts";
import { node, vmid } from "../core/schema/standard-options.ts";
import type { Guest } from "../core/world/guest.ts";
import { haStatus } from "../guests/ha.ts";
import { isAgentEnabled } from "./config/agent.ts";
import { bootDiskSize } from "./config/boot.ts";
import { vgaFormat } from "./config/device-formats.ts";
import { drivesOf } from "./config/drive.ts";
import { runningMachine } from "./config/machine.ts";
import { memoryMiB } from "./config/memory.ts";
import { isTrue } from "./config/perl.ts";
import { getVm, isTemplate } from "./vm.ts";

const MiB = 2 ** 20;

const idle = {
  pressurecpusome: 0,
  pressurecpufull: 0,
  pressureiosome: 0,
  pressureiofull: 0,
  pressurememorysome: 0,
  pressurememoryfull: 0,
};

/** `vmstatus` in qemu-server `src/PVE/QemuServer.pm`: the current state. */
export function vmStatus({ world, clock }: Simulation, guest: Guest) {
  const { vmid: id, config, run } = guest;
  const hostCpus = world.nodes[guest.node]?.cpus ?? 1;
  const maxCpus = Number(config["sockets"] ?? 1) * Number(config["cores"] ?? 1);
  const maxmem = memoryMiB(config["memory"]) * MiB;
  const mem = run === undefined ? 0 : maxmem / 2;
  return {
    vmid: id,
    name: config["name"] ?? `VM ${id}`,
    status: run === undefined ? "stopped" : "running",
    cpus: isTrue(config["vcpus"]) ? Number(config["vcpus"]) : Math.min(maxCpus, hostCpus),
    cpu: 0,
    maxmem,
    mem,
    memhost: mem,
    maxdisk: bootDiskSize(config) ?? 0,
    disk: 0,
    uptime: run === undefined ? 0 : Math.floor(clock.now() - run.since),
    netin: 0,
    netout: 0,
    ...(run !== undefined && { pid: run.pid, ...idle }),
    ...(isTrue(config["balloon"]) && {
      balloon_min: Number(config["balloon"]) * MiB,
      shares: Number(config["shares"] ?? 1000),
    }),
    ...(isTemplate(guest) && { template: 1 }),
    ...(["serial0", "serial1", "serial2", "serial3"].some((key) => isTrue(config[key])) && { serial: 1 }),
    ...(isTrue(config["lock"]) && { lock: config["lock"] }),
    ...(config["tags"] !== undefined && { tags: config["tags"] }),
  };
}

/** QEMU's name for the state of the process. */
function qmpStatus({ run }: Guest): string {
  return run === undefined ? "stopped" : run.paused === true ? "paused" : "running";
}

const noBlockStatistics = Object.fromEntries(
  ["rd", "wr", "flush", "unmap"].flatMap((kind) => [
    [`${kind}_operations`, 0],
    ...(kind === "flush" ? [] : [[`${kind}_bytes`, 0]]),
  ]),
);

/** Details of the running process (`vmstatus` with `full`). */
function processDetails({ world, clock }: Simulation, guest: Guest): Record<string, unknown> {
  if (guest.run === undefined) {
    return { qmpstatus: "stopped" };
  }
  const total = memoryMiB(guest.config["memory"]) * MiB;
  const { qemuVersion } = world.cluster;
  return {
    qmpstatus: qmpStatus(guest),
    "running-machine": runningMachine(guest.config["machine"], qemuVersion),
    "running-qemu": qemuVersion,
    balloon: total,
    freemem: total / 2,
    ballooninfo: {
      actual: total,
      max_mem: total,
      total_mem: total,
      free_mem: total / 2,
      last_update: Math.floor(clock.now()),
    },
    blockstat: Object.fromEntries(
      drivesOf(guest.config)
        .filter(([slot]) => !/^(?:efidisk|tpmstate)/.test(slot))
        .map(([slot]) => [slot, noBlockStatistics]),
    ),
    diskread: 0,
    diskwrite: 0,
    "proxmox-support": { "pbs-dirty-bitmap": true, "backup-fleecing": true },
  };
}

/** Spice and the clipboard, for the console. */
function display(vga: string | undefined): Record<string, unknown> {
  if (!isTrue(vga)) {
    return {};
  }
  const { type = "", clipboard } = parsePropertyString(vgaFormat, vga);
  return { ...(/^(?:virtio|qxl)/.test(type) && { spice: 1 }), clipboard: clipboard ?? null };
}

const subdirectories = ["current", "start", "stop", "reset", "shutdown", "suspend", "reboot"];

export const statusEndpoints = [
  endpoint({
    method: "GET",
    path: "/nodes/{node}/qemu",
    protected: true,
    proxyTo: "node",
    permissions: { user: "all" },
    parameters: { node, full: boolean({ optional: true }) },
    handler: ({ sim, world, caller, node: here, params: { full } }) =>
      Object.values(world.guests)
        .filter((guest) => guest.type === "qemu" && guest.node === here)
        .filter(({ vmid: id }) => caller.has(`/vms/${id}`, ["VM.Audit"]))
        .map((guest) => ({ ...vmStatus(sim, guest), ...(full === 1 && processDetails(sim, guest)) })),
  }),
  endpoint({
    method: "GET",
    path: "/nodes/{node}/qemu/{vmid}/status",
    proxyTo: "node",
    permissions: { user: "all" },
    parameters: { node, vmid },
    handler: (call) => {
      getVm(call, call.params.vmid);
      return subdirectories.map((subdir) => ({ subdir }));
    },
  }),
  endpoint({
    method: "GET",
    path: "/nodes/{node}/qemu/{vmid}/status/current",
    ...onGuest("VM.Audit"),
    parameters: { node, vmid },
    handler: (call) => {
      const guest = getVm(call, call.params.vmid);
      return {
        ...vmStatus(call.sim, guest),
        ...processDetails(call.sim, guest),
        ha: haStatus(call.world, "VM", guest.vmid),
        ...display(guest.config["vga"]),
        ...(isAgentEnabled(guest.config["agent"]) && { agent: 1 }),
      };
    },
  }),
];
