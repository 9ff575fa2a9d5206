import { bool, inherits, int, matches, slotted, string } from "#kit";
import { families } from "../slots.ts";
import { devicePath } from "../validate/paths.ts";

/** Server side: pve-container `src/PVE/LXC/Config.pm`, `$dev_desc`. */
export const devices = {
  devices: slotted(
    {
      families: families.devices,
      needsSetting: true,
      begin: (draft, slot, { path }) => draft.write({ option: slot, key: "path" }, path ?? null),
    },
    {
      path: inherits(
        string({ check: devicePath }),
        "{slot}/path",
        "Device of the host, such as `/dev/dri/renderD128`.",
        {
          undo: "to_value",
        },
      ),
      mode: inherits(
        string({ check: matches(/^0[0-7]{3}$/, "an octal mode such as `0660`") }),
        "{slot}/mode",
        "Access mode in the container.",
      ),
      uid: inherits(int({ min: 0 }), "{slot}/uid", "Owner in the container."),
      gid: inherits(int({ min: 0 }), "{slot}/gid", "Group in the container."),
      deny_write: inherits(bool(), "{slot}/deny-write", "Whether the container may only read."),
    },
    "Devices of the host by slot. Need `root@pam`.",
  ),
} as const;
