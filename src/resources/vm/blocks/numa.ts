import { inherits, list, matches, mebibytes, oneOf, size, slotted, string } from "#kit";
import { families } from "../slots.ts";

const range = string({ check: matches(/^\d+(-\d+)?$/, "a number or a range such as `0-3`") });

/** Server side: qemu-server `src/PVE/QemuServer/Memory.pm`. */
export const numa = {
  numa_nodes: slotted(
    { families: families.numa },
    {
      cpus: inherits(list(range), "{slot}/cpus", "Virtual processors, such as `0-3`.", { undo: "to_value" }),
      memory: inherits(size({ multipleOf: "M" }), "{slot}/memory", "Memory of the node.", { as: mebibytes }),
      host_nodes: inherits(list(range), "{slot}/hostnodes", "Nodes of the host to take it from."),
      policy: inherits(oneOf(["preferred", "bind", "interleave"]), "{slot}/policy", "How strictly."),
    },
    "NUMA nodes by slot; needs `cpu.numa`.",
  ),
} as const;
