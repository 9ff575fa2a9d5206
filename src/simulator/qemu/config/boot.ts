import { splitList } from "../../core/schema/format.ts";
import { parsePropertyString, printPropertyString } from "../../core/schema/property-string.ts";
import type { Section } from "../../core/world/guest.ts";
import { bootDriveSlots, bootFormat } from "./boot-format.ts";
import { isCdrom, isOrdinaryCdrom, parseDrive } from "./drive.ts";
import { isDriveSlot } from "./options.ts";
import { isTrue } from "./perl.ts";

/** The devices of `boot: order=…`; empty for the legacy form and without the option. */
export function bootOrder(section: Section): string[] {
  const { boot } = section;
  return isTrue(boot) ? splitList(parsePropertyString(bootFormat, boot)["order"] ?? "") : [];
}

/** `print_bootorder`; without devices the value is empty, which the file format turns into a blank. */
export function printBootOrder(devices: readonly string[]): string {
  return devices.length === 0 ? "" : printPropertyString(bootFormat, { order: devices.join(";") });
}

function firstDrive(section: Section, cdrom: boolean): string[] {
  const slot = bootDriveSlots.find((candidate) => {
    const text = section[candidate];
    const drive = isTrue(text) ? parseDrive(candidate, text) : undefined;
    return isTrue(text) && (drive !== undefined && isCdrom(drive)) === cdrom;
  });
  return slot === undefined ? [] : [slot];
}

/** `get_default_bootdevices`: the first disk, the first CD drive, the first network device. */
export function defaultBootDevices(section: Section): string[] {
  const nets = Array.from({ length: 32 }, (_, index) => `net${index}`);
  const net = nets.find((key) => isTrue(section[key]));
  return [...firstDrive(section, false), ...firstDrive(section, true), ...(net === undefined ? [] : [net])];
}

/** `bootdisk_size`: bytes of the first disk in the boot order, if any. */
export function bootDiskSize(section: Section): number | undefined {
  const { boot, bootdisk } = section;
  const legacy = !isTrue(boot) || parsePropertyString(bootFormat, boot)["legacy"] !== undefined;
  const slots = legacy ? [bootdisk ?? ""] : bootOrder(section);
  for (const slot of slots.filter(isDriveSlot)) {
    const text = section[slot];
    const drive = isTrue(text) ? parseDrive(slot, text) : undefined;
    if (drive !== undefined && !isCdrom(drive) && isTrue(drive.file)) {
      return drive.size === undefined ? undefined : Number(drive.size);
    }
  }
  return undefined;
}

/** `device_bootorder`: the devices that boot, by the legacy letters if no order is given. */
export function effectiveBootOrder(section: Section): string[] {
  const explicit = bootOrder(section);
  if (explicit.length > 0) {
    return explicit;
  }
  const { boot, bootdisk } = section;
  const letters = (isTrue(boot) ? parsePropertyString(bootFormat, boot)["legacy"] : undefined) ?? "cdn";
  const devices = {
    a: () => [],
    c: () => (bootdisk !== undefined && isTrue(section[bootdisk]) ? [bootdisk] : []),
    d: () =>
      bootDriveSlots.filter((slot) => {
        const drive = isTrue(section[slot]) ? parseDrive(slot, section[slot]) : undefined;
        return drive !== undefined && isOrdinaryCdrom(drive);
      }),
    n: () => Object.keys(section).filter((key) => /^net\d+$/.test(key)),
  };
  return [...letters].flatMap((letter) => devices[letter as keyof typeof devices]());
}
