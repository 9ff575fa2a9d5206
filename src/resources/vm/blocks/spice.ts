import { bool, group, inherits, oneOf } from "#kit";

/** Server side: qemu-server `src/PVE/QemuServer.pm`, `spice_enhancements`. */
export const spice = {
  spice: group(
    {
      folder_sharing: inherits(bool(), "spice_enhancements/foldersharing", "Whether folders can be shared."),
      video_streaming: inherits(
        oneOf(["off", "all", "filter"]),
        "spice_enhancements/videostreaming",
        "Whether moving pictures are sent as video.",
      ),
    },
    "Extras of SPICE consoles. Needs `root@pam`.",
  ),
} as const;
