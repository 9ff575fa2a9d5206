import { die } from "../../core/kernel/failure.ts";
import { listOf, namedFormat } from "../../core/schema/format.ts";
import { propertyFormat } from "../../core/schema/property-string.ts";
import { string } from "../../core/schema/schema.ts";
import { driveSlots } from "./drive-formats.ts";

/** Drives that can boot: all but the firmware's variables and the TPM's state. */
export const bootDriveSlots = driveSlots.filter((slot) => slot !== "efidisk0" && slot !== "tpmstate0");

const otherBootDevices = { net: 32, usb: 14, hostpci: 16 } as const;

function isBootDevice(device: string): boolean {
  const [, family, index] = /^(net|usb|hostpci)(0|[1-9]\d*)$/.exec(device) ?? [];
  return bootDriveSlots.includes(device) || Number(index) < (otherBootDevices[family as "net"] ?? 0);
}

const bootDeviceFormat = namedFormat("pve-qm-bootdev", (device) => {
  if (!isBootDevice(device)) {
    die(`invalid boot device '${device}'`);
  }
});

export const bootFormat = propertyFormat(
  {
    legacy: string({ optional: true, default_key: true, pattern: "[acdn]{1,4}", default: "cdn" }),
    order: string({ optional: true, format: listOf(bootDeviceFormat) }),
  },
  { name: "pve-qm-boot" },
);

export const bootDiskFormat = namedFormat("pve-qm-bootdisk", (slot) => {
  if (!driveSlots.includes(slot)) {
    die(`invalid boot disk '${slot}'`);
  }
});
