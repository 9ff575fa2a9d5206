import { group, inherits, oneOf } from "#kit";

/** Server side: qemu-server `src/PVE/QemuServer.pm`, `audio0`. */
export const audio = {
  audio: group(
    {
      device: inherits(oneOf(["ich9-intel-hda", "intel-hda", "AC97"]), "audio0/device", "Kind of card.", {
        undo: "to_value",
      }),
      driver: inherits(oneOf(["spice", "none"]), "audio0/driver", "Where the sound goes."),
    },
    "Sound card.",
  ),
} as const;
