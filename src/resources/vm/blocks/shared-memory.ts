import { group, inherits, int, matches, string } from "#kit";

/** Server side: qemu-server `src/PVE/QemuServer.pm`, `ivshmem`. */
export const sharedMemory = {
  shared_memory: group(
    {
      size: inherits(int({ min: 1 }), "ivshmem/size", "Size in MiB.", { undo: "to_value" }),
      name: inherits(
        string({ check: matches(/^[A-Za-z0-9-]+$/, "letters, digits and hyphens") }),
        "ivshmem/name",
        "Name.",
      ),
    },
    "Memory shared with other guests. Needs `root@pam`.",
  ),
} as const;
