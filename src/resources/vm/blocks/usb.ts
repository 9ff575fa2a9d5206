import { bool, inherits, matches, slotted, string } from "#kit";
import { families } from "../slots.ts";

const usbDevice = matches(
  /^(spice|0x[0-9a-fA-F]{4}:0x[0-9a-fA-F]{4}|[0-9a-fA-F]{4}:[0-9a-fA-F]{4}|\d+-\d+(\.\d+)*)$/,
  "`spice`, a port such as `1-2.3`, or a device such as `046d:c52b`",
);

/** Server side: qemu-server `src/PVE/QemuServer/USB.pm`. */
export const usb = {
  usb: slotted(
    { families: families.usb },
    {
      mapping: inherits(string(), "{slot}/mapping", "Resource mapping; what tokens may use.", {
        clears: ["{slot}/host"],
        keep: { unless: ["device"] },
        refers: "mapping",
      }),
      device: inherits(string({ check: usbDevice }), "{slot}/host", "`spice`, or a device of the host (`root@pam`).", {
        clears: ["{slot}/mapping"],
        keep: { unless: ["mapping"] },
      }),
      usb3: inherits(bool(), "{slot}/usb3", "Whether it is on a USB 3 port."),
    },
    "USB devices by slot.",
  ),
} as const;
