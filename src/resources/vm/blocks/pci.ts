import { bool, inherits, matches, oneOf, slotted, string } from "#kit";
import { families } from "../slots.ts";

const pciAddress = matches(
  /^([0-9a-fA-F]{4}:)?[0-9a-fA-F]{2}:[0-9a-fA-F]{2}(\.[0-7])?(;([0-9a-fA-F]{4}:)?[0-9a-fA-F]{2}:[0-9a-fA-F]{2}(\.[0-7])?)*$/,
  "a PCI address such as `0000:01:00.0`, or `0000:01:00` for all its functions",
);
const pciId = string({ check: matches(/^0x[0-9a-fA-F]{4}$/, "a PCI id such as `0x10de`") });
const semicolons = {
  parse: (raw: unknown) => (raw as readonly string[]).join(";"),
  print: (value: unknown) => String(value).split(";"),
};

/** Server side: qemu-server `src/PVE/QemuServer/PCI.pm`. */
export const pci = {
  pci: slotted(
    { families: families.pci },
    {
      mapping: inherits(string(), "{slot}/mapping", "Resource mapping; what tokens may use.", {
        clears: ["{slot}/host"],
        keep: { unless: ["address"] },
        refers: "mapping",
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
      mdev: inherits(
        string({ check: matches(/^[^/.:]+$/, "a type such as `nvidia-35`") }),
        "{slot}/mdev",
        "Type of mediated device.",
      ),
      legacy_igd: inherits(bool(), "{slot}/legacy-igd", "Whether legacy mode for integrated graphics is used."),
      driver: inherits(oneOf(["vfio", "keep"]), "{slot}/driver", "Driver on the host while the guest runs."),
      vendor_id: inherits(pciId, "{slot}/vendor-id", "Vendor the guest sees."),
      device_id: inherits(pciId, "{slot}/device-id", "Device the guest sees."),
      sub_vendor_id: inherits(pciId, "{slot}/sub-vendor-id", "Subsystem vendor the guest sees."),
      sub_device_id: inherits(pciId, "{slot}/sub-device-id", "Subsystem device the guest sees."),
    },
    "PCI devices of the host by slot.",
  ),
} as const;
