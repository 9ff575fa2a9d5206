import { bool, inherits, oneOf, slotted, string } from "#kit";
import { families } from "../slots.ts";

/** Server side: qemu-server `src/PVE/QemuServer/Virtiofs.pm`. */
export const virtiofs = {
  virtiofs: slotted(
    { families: families.virtiofs },
    {
      mapping: inherits(string(), "{slot}/dirid", "Directory mapping.", { undo: "to_value", refers: "mapping" }),
      cache: inherits(oneOf(["auto", "always", "metadata", "never"]), "{slot}/cache", "What the guest may cache."),
      direct_io: inherits(bool(), "{slot}/direct-io", "Whether the guest may ask for uncached I/O."),
      expose_acl: inherits(bool(), "{slot}/expose-acl", "Whether the guest sees access control lists."),
      expose_xattr: inherits(bool(), "{slot}/expose-xattr", "Whether the guest sees extended attributes."),
    },
    "Directories of the host by slot.",
  ),
} as const;
