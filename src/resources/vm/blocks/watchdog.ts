import { group, inherits, oneOf } from "#kit";

/** Server side: qemu-server `src/PVE/QemuServer.pm`, `watchdog`. */
export const watchdog = {
  watchdog: group(
    {
      model: inherits(oneOf(["i6300esb", "ib700"]), "watchdog/model", "Kind of device."),
      action: inherits(
        oneOf(["reset", "shutdown", "poweroff", "pause", "debug", "none"]),
        "watchdog/action",
        "What happens when the guest no longer answers it.",
      ),
    },
    "A device that restarts a guest which hangs.",
  ),
} as const;
