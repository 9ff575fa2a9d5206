import type { FiguresOf } from "../core/kernel/statistics.ts";
import { bootDiskSize } from "./config/boot.ts";
import { memoryMiB } from "./config/memory.ts";

const MiB = 2 ** 20;
/** The share of its memory that an idle guest uses. */
const idleShare = 0.25;

/**
 * What pvestatd broadcasts about a VM (`update_qemu_status`): the sizes of the configuration and the load of an idle
 * guest.
 */
export const vmFigures: FiguresOf = ({ clock }, { vmid, config, run }) => {
  const maxmem = memoryMiB(config["memory"]) * MiB;
  const mem = run === undefined ? 0 : Math.round(maxmem * idleShare);
  const processors = Number(config["sockets"] ?? 1) * Number(config["cores"] ?? 1);
  return {
    name: config["name"] ?? `VM ${vmid}`,
    status: run === undefined ? "stopped" : run.paused ? "paused" : "running",
    template: config["template"] === "1" ? 1 : 0,
    uptime: run === undefined ? 0 : Math.floor(clock.since(run.since)),
    maxcpu: Number(config["vcpus"] ?? processors),
    cpu: run === undefined ? 0 : 0.01,
    maxmem,
    mem,
    memhost: mem,
    maxdisk: bootDiskSize(config) ?? 0,
    disk: 0,
    netin: 0,
    netout: 0,
    diskread: 0,
    diskwrite: 0,
  };
};
