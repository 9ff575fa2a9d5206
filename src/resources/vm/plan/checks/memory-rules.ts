import type { ConfigDraft } from "#kit";
import { families } from "../../slots.ts";
import { type Conflict, devicesIn, mib, type Rule } from "./rule.ts";

/** Memory a VM with memory hotplug always has; what is beyond comes in modules. */
const staticMiB = 1024;

const attributes = [
  ["hotplug"],
  ["cpu", "numa"],
  ["memory", "size"],
  ["memory", "hugepages"],
  ["numa_nodes"],
  ["virtiofs"],
];

const isOn = (draft: ConfigDraft, option: string): boolean => Number(draft.raw(option) ?? 0) === 1;

/** Server side: qemu-server `src/PVE/QemuServer/Memory.pm`, `config`. */
export const memoryRules: readonly Rule[] = [
  { when: "started", options: /^(hotplug|numa\d*|memory|virtiofs\d+)$/, attributes, find: hotplugConflicts },
  { when: "started", options: /^(hugepages|numa\d*|memory|hotplug)$/, attributes, find: topologyConflicts },
];

const hasMemoryHotplug = (draft: ConfigDraft): boolean =>
  String(draft.raw("hotplug") ?? "")
    .split(/[,;\s]+/)
    .includes("memory");

function hotplugConflicts(draft: ConfigDraft): Conflict[] {
  if (!hasMemoryHotplug(draft)) return [];
  const conflict = (detail: string) => [{ path: ["hotplug"], detail }];
  if (!isOn(draft, "numa"))
    return conflict(
      "Memory can be added live only with NUMA. Set `cpu.numa = true`, or take `memory` out of `hotplug`.",
    );
  if (draft.slots(families.numa).length > 0)
    return conflict(
      "Memory cannot be added live to NUMA nodes of your own. Take `memory` out of `hotplug`, or leave `numa_nodes` out.",
    );
  if (draft.slots(families.virtiofs).length > 0)
    return conflict("Memory cannot be added live to a VM with `virtiofs` directories. Take `memory` out of `hotplug`.");
  if (mib(draft) < staticMiB)
    return [
      {
        path: ["memory", "size"],
        detail: `With memory hotplug, a VM needs at least 1G of memory, and it has ${mib(draft)}M.`,
      },
    ];
  const module = misalignedModule(mib(draft));
  return module === null
    ? []
    : [
        {
          path: ["memory", "size"],
          detail: `With memory hotplug, memory comes in modules: ${mib(draft)}M must be a multiple of ${module}M at this size.`,
        },
      ];
}

/** The size of the module that does not fit, as modules get twice as big after every 32. */
function misalignedModule(memory: number): number | null {
  let [size, current] = [512, staticMiB];
  for (let module = 1; current < memory; module++) {
    current += size;
    if (current > memory) return size;
    size *= module % 32 === 0 ? 2 : 1;
  }
  return null;
}

function topologyConflicts(draft: ConfigDraft): Conflict[] {
  if (draft.has("hugepages") && !isOn(draft, "numa")) {
    return [{ path: ["memory", "hugepages"], detail: "Huge pages need NUMA. Set `cpu.numa = true`." }];
  }
  const nodes = isOn(draft, "numa") ? devicesIn(draft, families.numa) : [];
  const incomplete = nodes.flatMap(({ slot, read }): Conflict[] => {
    const path = (member: string) => ["numa_nodes", slot, member];
    if (!read("memory"))
      return [
        { path: path("memory"), detail: `\`${slot}\` has no memory. Say how much of the VM's memory belongs to it.` },
      ];
    if (!read("cpus"))
      return [
        { path: path("cpus"), detail: `\`${slot}\` has no processors. Say which of the VM's processors belong to it.` },
      ];
    if (read("hostnodes") && !read("policy"))
      return [
        {
          path: path("policy"),
          detail: `\`${slot}\` names \`host_nodes\` without a \`policy\`. Say how strictly they are used.`,
        },
      ];
    return [];
  });
  if (incomplete.length > 0 || nodes.length === 0) return incomplete;
  // With memory hotplug, nodes of one's own are a conflict already.
  if (hasMemoryHotplug(draft)) return [];
  const total = nodes.reduce((sum, { read }) => sum + Number(read("memory")), 0);
  const memory = mib(draft);
  return total === memory
    ? []
    : [
        {
          path: ["numa_nodes"],
          detail: `The NUMA nodes have ${total}M together, and the VM has ${memory}M. Make them equal.`,
        },
      ];
}
