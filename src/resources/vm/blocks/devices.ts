import { bool, inherits, list, map, matches, mebibytes, nullable, oneOf, size, slotted, string } from "#kit";

const pciAddress = matches(
  /^([0-9a-fA-F]{4}:)?[0-9a-fA-F]{2}:[0-9a-fA-F]{2}(\.[0-7])?(;([0-9a-fA-F]{4}:)?[0-9a-fA-F]{2}:[0-9a-fA-F]{2}(\.[0-7])?)*$/,
  "a PCI address such as `0000:01:00.0`, or `0000:01:00` for all its functions",
);
const pciId = string({ check: matches(/^0x[0-9a-fA-F]{4}$/, "a PCI id such as `0x10de`") });
const semicolons = {
  parse: (raw: unknown) => (raw as readonly string[]).join(";"),
  print: (value: unknown) => String(value).split(";"),
};
const usbDevice = matches(
  /^(spice|0x[0-9a-fA-F]{4}:0x[0-9a-fA-F]{4}|[0-9a-fA-F]{4}:[0-9a-fA-F]{4}|\d+-\d+(\.\d+)*)$/,
  "`spice`, a port such as `1-2.3`, or a device such as `046d:c52b`",
);
const range = string({ check: matches(/^\d+(-\d+)?$/, "a number or a range such as `0-3`") });

const port = (family: string, highest: number, doc: string, check: (text: string) => string | undefined) =>
  ({
    type: nullable(map(string({ check }))),
    mode: "optional_computed",
    keep: true,
    slots: { families: { [family]: highest } },
    doc,
  }) as const;

/** Devices of the host handed to the guest. Server side: qemu-server `src/PVE/QemuServer/{PCI,USB,Virtiofs}.pm`. */
export const devices = {
  pci: slotted(
    { families: { hostpci: 15 } },
    {
      mapping: inherits(string(), "{slot}/mapping", "Resource mapping; what tokens may use.", {
        clears: ["{slot}/host"],
        keep: { unless: ["address"] },
      }),
      address: inherits(string({ check: pciAddress }), "{slot}/host", "Address on the host. Needs `root@pam`.", {
        as: semicolons,
        clears: ["{slot}/mapping"],
        keep: { unless: ["mapping"] },
      }),
      pcie: inherits(bool(), "{slot}/pcie", "Whether it is a PCI Express device; needs a q35 machine."),
      primary_gpu: inherits(bool(), "{slot}/x-vga", "Whether it is the guest's first graphics card."),
      rombar: inherits(bool(), "{slot}/rombar", "Whether its ROM is visible to the guest."),
      rom_file: inherits(string(), "{slot}/romfile", "ROM file on the host. Needs `root@pam`."),
      mdev: inherits(string(), "{slot}/mdev", "Type of mediated device."),
      legacy_igd: inherits(bool(), "{slot}/legacy-igd", "Whether legacy mode for integrated graphics is used."),
      driver: inherits(oneOf(["vfio", "keep"]), "{slot}/driver", "Driver on the host while the guest runs."),
      vendor_id: inherits(pciId, "{slot}/vendor-id", "Vendor the guest sees."),
      device_id: inherits(pciId, "{slot}/device-id", "Device the guest sees."),
      sub_vendor_id: inherits(pciId, "{slot}/sub-vendor-id", "Subsystem vendor the guest sees."),
      sub_device_id: inherits(pciId, "{slot}/sub-device-id", "Subsystem device the guest sees."),
    },
    "PCI devices of the host by slot.",
  ),
  usb: slotted(
    { families: { usb: 13 } },
    {
      mapping: inherits(string(), "{slot}/mapping", "Resource mapping; what tokens may use.", {
        clears: ["{slot}/host"],
        keep: { unless: ["device"] },
      }),
      device: inherits(string({ check: usbDevice }), "{slot}/host", "`spice`, or a device of the host (`root@pam`).", {
        clears: ["{slot}/mapping"],
        keep: { unless: ["mapping"] },
      }),
      usb3: inherits(bool(), "{slot}/usb3", "Whether it is on a USB 3 port."),
    },
    "USB devices by slot.",
  ),
  virtiofs: slotted(
    { families: { virtiofs: 9 } },
    {
      mapping: inherits(string(), "{slot}/dirid", "Directory mapping."),
      cache: inherits(oneOf(["auto", "always", "metadata", "never"]), "{slot}/cache", "What the guest may cache."),
      direct_io: inherits(bool(), "{slot}/direct-io", "Whether the guest may ask for uncached I/O."),
      expose_acl: inherits(bool(), "{slot}/expose-acl", "Whether the guest sees access control lists."),
      expose_xattr: inherits(bool(), "{slot}/expose-xattr", "Whether the guest sees extended attributes."),
    },
    "Directories of the host by slot.",
  ),
  numa_nodes: slotted(
    { families: { numa: 7 } },
    {
      cpus: inherits(list(range), "{slot}/cpus", "Virtual processors, such as `0-3`."),
      memory: inherits(size({ multipleOf: "M" }), "{slot}/memory", "Memory of the node.", { as: mebibytes }),
      host_nodes: inherits(list(range), "{slot}/hostnodes", "Nodes of the host to take it from."),
      policy: inherits(oneOf(["preferred", "bind", "interleave"]), "{slot}/policy", "How strictly."),
    },
    "NUMA nodes by slot; needs `cpu.numa`.",
  ),
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
