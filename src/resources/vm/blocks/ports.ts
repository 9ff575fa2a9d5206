import { map, matches, nullable, string } from "#kit";
import { families } from "../slots.ts";

const port = (family: "serial" | "parallel", doc: string, check: (text: string) => string | undefined) =>
  ({
    type: nullable(map(string({ check }))),
    mode: "optional_computed",
    keep: true,
    byKey: true,
    slots: { families: families[family] },
    doc,
  }) as const;

/** Server side: qemu-server `src/PVE/QemuServer.pm`, `serialN` and `parallelN`. */
export const ports = {
  serial: port(
    "serial",
    "Serial ports by slot: `socket`, or a device of the host such as `/dev/ttyS0` (`root@pam`).",
    matches(/^(socket|\/dev\/[^,\s]+)$/, "`socket` or a device such as `/dev/ttyS0`"),
  ),
  parallel: port(
    "parallel",
    "Parallel ports by slot, such as `/dev/parport0`. Needs `root@pam`.",
    matches(/^\/dev\/(parport\d+|usb\/lp\d+)$/, "a device such as `/dev/parport0`"),
  ),
} as const;
