import { describeFamilies, familyOf, isSlot, type Members, type WiredAttribute } from "#kit";
import { checkAbsent } from "../../guest/absent-devices.ts";
import { slotMaps } from "../../guest/observe.ts";
import { checkArchive } from "../../guest/validate/archive.ts";
import { checkCards } from "../../guest/validate/cards.ts";
import { checkHa, checkLife } from "../../guest/validate/life.ts";
import { settings } from "../attributes.ts";
import { busesOf } from "../blocks/disk.ts";
import type { VmValidate } from "../contexts.ts";
import { families } from "../slots.ts";
import { checkCloudInitData } from "./cloud-init-data.ts";
import { checkVolumeNames } from "./volume-names.ts";

/** What can be said without looking at any cluster. Values that are not known yet (`undefined`) are not judged. */
export function validateVm(context: VmValidate): void {
  for (const [name, attribute] of slotMaps(settings)) checkSlotNames(context, name, attribute);
  checkSharedSlots(context);
  checkDisks(context);
  checkAbsent(context, settings);
  checkCards(context, { isRouted: false });
  checkExclusive(context, "pci", "mapping", "address");
  checkExclusive(context, "usb", "mapping", "device");
  checkBootOrder(context);
  checkSource(context);
  checkArchive(context, "qemu");
  checkCloudInitData(context);
  checkVolumeNames(context);
  checkHa(context);
  checkLife(context, "VM");
}

function checkSlotNames({ config, report }: VmValidate, name: string, { slots }: WiredAttribute): void {
  const families = slots?.families ?? {};
  for (const slot of Object.keys((config as Members)[name] ?? {})) {
    if (!isSlot(slot, families)) {
      report.error(
        [name, slot],
        "No such slot",
        `\`${slot}\` is not a slot here: it must be ${describeFamilies(families)}.`,
      );
    }
  }
}

/** A slot holds one device, whichever map it is written in. */
function checkSharedSlots({ config, report }: VmValidate): void {
  const cloudInit = config.cloud_init?.slot;
  for (const slot of Object.keys(config.cdroms ?? {})) {
    if (slot in (config.disks ?? {})) {
      report.error(["cdroms", slot], "Slot used twice", `\`${slot}\` is a disk in \`disks\` already.`);
    }
  }
  if (cloudInit && (cloudInit in (config.disks ?? {}) || cloudInit in (config.cdroms ?? {}))) {
    report.error("cloud_init.slot", "Slot used twice", `\`${cloudInit}\` holds another drive.`);
  }
}

function checkDisks({ config, report }: VmValidate): void {
  for (const [slot, disk] of Object.entries(config.disks ?? {})) {
    const bus = familyOf(slot);
    for (const [setting, buses] of Object.entries(busesOf)) {
      const value = (disk as Members | null | undefined)?.[setting];
      if (value !== null && value !== undefined && !buses.includes(bus) && bus in families.disks) {
        const allowed = buses.map((name) => `\`${name}\``).join(", ");
        report.error(["disks", slot, setting], "Setting of another bus", `Only ${allowed} disks have \`${setting}\`.`);
      }
    }
    if (disk?.import_from && disk.volume) {
      report.error(["disks", slot, "volume"], "Two sources", "Give `import_from` or `volume`, not both.");
    }
    if (disk?.volume && disk.storage && !disk.volume.startsWith(`${disk.storage}:`)) {
      report.error(
        ["disks", slot, "storage"],
        "Another storage",
        `\`${disk.volume}\` does not lie on \`${disk.storage}\`.`,
      );
    }
    checkLimits(report, slot, disk?.limits);
  }
}

function checkLimits(report: VmValidate["report"], slot: string, limits: Members | null | undefined): void {
  for (const kind of ["mbps", "iops"]) {
    const isBoth = isGiven(limits?.[kind]) && (isGiven(limits?.[`${kind}_read`]) || isGiven(limits?.[`${kind}_write`]));
    if (isBoth) {
      report.error(
        ["disks", slot, "limits", kind],
        "Conflicting limits",
        `Give \`${kind}\`, or one for each direction.`,
      );
    }
  }
}

const isGiven = (value: unknown) => value !== null && value !== undefined;

function checkExclusive({ config, report }: VmValidate, name: "pci" | "usb", one: string, other: string): void {
  for (const [slot, device] of Object.entries(config[name] ?? {})) {
    const given = [one, other].filter((member) => isGiven((device as Members | undefined)?.[member]));
    const isKnown = [one, other].every((member) => (device as Members | undefined)?.[member] !== undefined);
    if (given.length === 2) {
      report.error([name, slot, other], "Two devices for one slot", `Give \`${one}\` or \`${other}\`, not both.`);
    } else if (given.length === 0 && isKnown) {
      report.error([name, slot], "No device", `Give \`${one}\` or \`${other}\`.`);
    }
  }
}

function checkBootOrder({ config, report }: VmValidate): void {
  for (const [index, device] of (config.boot_order ?? []).entries()) {
    if (device !== undefined && !isSlot(device, families.bootable)) {
      report.error(
        ["boot_order", index],
        "Not a boot device",
        `\`${device}\` is none: it must be ${describeFamilies(families.bootable)}.`,
      );
    }
  }
}

function checkSource({ config, report }: VmValidate): void {
  const { clone } = config;
  const given = (["clone", "restore", "import"] as const).filter((name) => config[name]);
  if (given.length > 1) {
    const names = given.map((name) => `\`${name}\``).join(" and ");
    report.error(given[1] ?? null, "Two sources", `A VM is made from one source, and there are ${names}. Remove one.`);
  }
  const { ova, esxi } = config.import ?? {};
  if (config.import && ova !== undefined && esxi !== undefined && (ova === null) === (esxi === null)) {
    report.error("import", "Which VM to import", "Exactly one of `ova` and `esxi` must be given.");
  }
  if (clone?.full === false && (clone.storage || clone.format)) {
    report.error("clone.full", "Linked clones stay where they are", "`storage` and `format` need a full clone.");
  }
}
