import { die } from "../../core/kernel/failure.ts";
import { parsePropertyString } from "../../core/schema/property-string.ts";
import type { Section } from "../../core/world/guest.ts";
import { numaFormat } from "../config/device-formats.ts";
import { hotplugFeatures } from "../config/hotplug-features.ts";
import { memoryMiB } from "../config/memory.ts";
import { isTrue } from "../config/perl.ts";

// `config` in qemu-server `src/PVE/QemuServer/Memory.pm`.

/** Memory that a VM with memory hotplug always has; further memory comes in modules. */
export const staticMiB = 1024;
/** Half of the range of 40 address bits. */
const maxMiB = 524_288;
const firstModuleMiB = 512;
const modulesOfASize = 32;

export function checkMemory(config: Section): void {
  const memory = memoryMiB(config["memory"]);
  const nodes = Array.from({ length: 8 }, (_, index) => `numa${index}`).filter((key) => isTrue(config[key]));
  const hotplug = hotplugFeatures(config["hotplug"]).has("memory");
  if (hotplug) {
    checkMemoryHotplug(config, memory, nodes.length > 0);
  }
  if (isTrue(config["hugepages"]) && !isTrue(config["numa"])) {
    die("numa needs to be enabled to use hugepages at /usr/share/perl5/PVE/QemuServer/Memory.pm line 388.");
  }
  if (isTrue(config["numa"])) {
    checkNuma(config, nodes, hotplug ? staticMiB : memory);
  }
  if (hotplug) {
    checkAlignment(memory);
  }
}

function checkMemoryHotplug(config: Section, memory: number, customTopology: boolean): void {
  if (!isTrue(config["numa"])) {
    die("NUMA needs to be enabled for memory hotplug");
  }
  if (memory > maxMiB) {
    die(`Total memory is bigger than ${maxMiB}MB`);
  }
  if (customTopology) {
    die("cannot enable memory hotplugging with custom NUMA topology");
  }
  if (memory < staticMiB) {
    die(`minimum memory must be ${staticMiB}MB`);
  }
  if (Object.keys(config).some((key) => /^virtiofs\d+$/.test(key))) {
    die("Memory hotplug does not work in combination with virtio-fs.");
  }
}

function checkNuma(config: Section, nodes: readonly string[], memory: number): void {
  let total = 0;
  for (const key of nodes) {
    const { memory: share, hostnodes, policy } = parsePropertyString(numaFormat, config[key] ?? "");
    if (!isTrue(share)) {
      die(`missing NUMA ${key.replace("numa", "node")} memory value`);
    }
    if (hostnodes !== undefined && policy === undefined) {
      die(`you need to define a policy for hostnode ${hostnodes.replaceAll(";", ",host-nodes=")}`);
    }
    total += Number(share);
  }
  if (total > 0 && total !== memory) {
    die("total memory for NUMA nodes must be equal to vm static memory");
  }
}

/** `foreach_dimm`: the size of modules doubles after every 32. */
function checkAlignment(memory: number): void {
  let size = firstModuleMiB;
  let current = staticMiB;
  for (let module = 1; current < memory; module++) {
    current += size;
    if (current > memory) {
      die(`memory size (${memory}) must be aligned to ${size} for hotplugging`);
    }
    size *= module % modulesOfASize === 0 ? 2 : 1;
  }
}
