import type { Permissions } from "../core/kernel/permission.ts";
import { boolean, string } from "../core/schema/schema.ts";
import { node, snapshotName, storageId, vmid } from "../core/schema/standard-options.ts";
import { poolIdFormat } from "../pools/pool-id.ts";

// The common part of `clone_vm` in qemu-server and pve-container.

export const mayClone: Permissions = {
  check: [
    "and",
    ["perm", "/vms/{vmid}", ["VM.Clone"]],
    [
      "or",
      ["perm", "/vms/{newid}", ["VM.Allocate"]],
      ["perm", "/pool/{pool}", ["VM.Allocate"], { require_param: "pool" }],
    ],
  ],
};

export const cloneParameters = {
  node,
  vmid,
  newid: vmid,
  description: string({ optional: true }),
  pool: string({ optional: true, format: poolIdFormat }),
  snapname: { ...snapshotName, optional: true },
  storage: { ...storageId, optional: true },
  full: boolean({ optional: true }),
  target: { ...node, optional: true },
} as const;
