import { inherits, slotted, string } from "#kit";
import { families } from "../slots.ts";
import { isCdrom, isCloudInit, isDataDrive } from "./drive-slots.ts";

/** Server side: qemu-server `src/PVE/QemuServer/Drive.pm`. */
export const cdrom = {
  cdroms: slotted(
    {
      families: families.cdroms,
      holds: (draft, slot) => isCdrom(draft, slot) && !isCloudInit(draft, slot) && !isDataDrive(draft, slot),
      begin: (draft, slot) => draft.set(slot, "none,media=cdrom"),
    },
    {
      file: inherits(
        string(),
        "{slot}/file",
        "An ISO image such as `local:iso/debian.iso`; `none` is an empty drive, `cdrom` the host's own.",
        { undo: "to_value" },
      ),
    },
    "CD drives by slot. Cloud-init's drives are not among them.",
  ),
} as const;
