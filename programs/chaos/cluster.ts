import { defaultSeed } from "#simulator";
import type { Part } from "./part.ts";

/** The contents of a cluster, as far as parts add to it. */
export interface ClusterSeed {
  readonly acl: readonly object[];
  readonly pools?: readonly object[];
  readonly guests: readonly object[];
  readonly container_templates?: readonly string[];
  readonly [list: string]: unknown;
}

/** The default cluster with other objects: volumes that are not managed, images with similar names, and what parts add. */
export function crowdedSeed(parts: readonly Part[]): object {
  const seed = defaultSeed() as ClusterSeed;
  const crowded: ClusterSeed = {
    ...seed,
    acl: [...seed.acl, { path: "/", type: "user", ugid: "terraform@pve", roleid: "Administrator" }],
    pools: [{ poolid: "crew", vms: [] }],
    // Left over from guests whose ids Terraform will get next.
    volumes: {
      "local-lvm": [{ volume: "vm-100-disk-0", size: "1G", node: "pve1" }],
      ceph: [
        { volume: "vm-101-disk-0", size: "1G" },
        { volume: "vm-300-disk-0", size: "1G" },
      ],
    },
    iso_files: ["nas:iso/cloud-init-501-0123456789abcdef.iso", "nas:iso/debian-13.iso"],
  };
  return parts.reduce((grown, part) => part.crowd(grown), crowded);
}
