import { map, matches, nullable, string } from "#kit";

const port = (family: string, highest: number, doc: string, check: (text: string) => string | undefined) =>
  ({
    type: nullable(map(string({ check }))),
    mode: "optional_computed",
    keep: true,
    byKey: true,
    slots: { families: { [family]: highest } },
    doc,
  }) as const;

/** Server side: qemu-server `src/PVE/QemuServer.pm`, `serialN` and `parallelN`. */
export const ports = {
  serial: port(
    "serial",
    3,
    "Serial ports by slot: `socket`, or a device of the host such as `/dev/ttyS0` (`root@pam`).",
    matches(/^(socket|\/dev\/.+)$/, "`socket` or a device such as `/dev/ttyS0`"),
  ),
  parallel: port(
    "parallel",
    2,
    "Parallel ports by slot, such as `/dev/parport0`. Needs `root@pam`.",
    matches(/^\/dev\/(parport\d+|usb\/lp\d+)$/, "a device such as `/dev/parport0`"),
  ),
} as const;
