import { BlockList } from "node:net";
import { describeFamilies, familyOf, isSlot, type Members, parseDuration, type WiredAttribute } from "#kit";
import { slotMaps } from "../../guest/observe.ts";
import { ipv4, ipv6 } from "../../guest/validate/addresses.ts";
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
  checkNetworks(context);
  checkExclusive(context, "pci", "mapping", "address");
  checkExclusive(context, "usb", "mapping", "device");
  checkBootOrder(context);
  checkSource(context);
  checkCloudInitData(context);
  checkVolumeNames(context);
  checkHa(context);
  checkLife(context);
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

function checkNetworks({ config, report }: VmValidate): void {
  for (const [slot, card] of Object.entries(config.networks ?? {})) {
    for (const version of ["ipv4", "ipv6"] as const) {
      const { address, gateway } = card?.[version] ?? {};
      const path = ["networks", slot, version, "gateway"];
      if (!gateway || address === undefined) continue;
      if (!address?.includes("/")) {
        report.error(path, "Gateway without address", "A gateway needs a static `address` beside it.");
      } else if (!isInside(gateway, address)) {
        report.error(path, "Gateway out of reach", `\`${gateway}\` is not in the network of \`${address}\`.`);
      }
    }
  }
}

/** Link-local gateways reach every network. Invalid addresses are reported elsewhere. */
function isInside(gateway: string, cidr: string): boolean {
  const [address = "", prefix] = cidr.split("/");
  const family = ipv4.isAddress(address) ? "ipv4" : "ipv6";
  const isReadable = family === "ipv4" ? ipv4.isAddress(gateway) : ipv6.isAddress(address) && ipv6.isAddress(gateway);
  const bits = family === "ipv4" ? 32 : 128;
  if (!isReadable || !(Number(prefix) <= bits) || /^fe80:/i.test(gateway)) return true;
  const network = new BlockList();
  network.addSubnet(address, Number(prefix), family);
  // A host address has no network; its gateway lies outside of it by design.
  return Number(prefix) >= bits - 1 || network.check(gateway, family);
}

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
  if (clone?.full === false && (clone.storage || clone.format)) {
    report.error("clone.full", "Linked clones stay where they are", "`storage` and `format` need a full clone.");
  }
}

/** Two masters of one switch. */
function checkHa({ config, report }: VmValidate): void {
  const state = config.ha?.state;
  if (!state || state === "ignored" || !config.power || config.power === "unmanaged") return;
  if ((state === "started") !== (config.power === "running")) {
    report.error(
      "ha.state",
      "Conflicting power",
      `\`ha.state = "${state}"\` contradicts \`power = "${config.power}"\`.`,
    );
  }
}

/** Settings of the provider that say nothing without one another. */
function checkLife({ config, report }: VmValidate): void {
  const { shutdown, placement, node } = config;
  if (shutdown?.force === false && shutdown.timeout && parseDuration(shutdown.timeout) === 0) {
    report.error(
      "shutdown.force",
      "No way to stop",
      '`timeout = "0s"` stops the VM at once, which `force = false` forbids. Give the guest time, or remove `force`.',
    );
  }
  if (placement === "enforce" && node === null) {
    report.error(
      "placement",
      "Node needed",
      '`placement = "enforce"` keeps the VM on `node`, which is not set. Set it.',
    );
  }
  checkTimes(report, "shutdown.timeout", shutdown?.timeout, config.timeouts);
  checkTimes(report, "destroy.grace", config.destroy?.grace, config.timeouts, ["delete"]);
}

const limits = { update: "30m", delete: "10m" } as const;

/** The operation ends at its own limit, even if the guest still has time to shut down. */
function checkTimes(
  report: VmValidate["report"],
  path: "shutdown.timeout" | "destroy.grace",
  time: string | null | undefined,
  timeouts: Members | null | undefined,
  operations: readonly (keyof typeof limits)[] = ["update", "delete"],
): void {
  if (!time || timeouts === undefined) return;
  for (const operation of operations) {
    const given = timeouts?.[operation] ?? null;
    const limit = typeof given === "string" ? given : limits[operation];
    if ((parseDuration(time) ?? 0) < (parseDuration(limit) ?? 0)) continue;
    report.error(
      path,
      "More time than the operation has",
      `The guest may take ${time}, and \`timeouts.${operation}\` is ${limit}. Raise \`timeouts.${operation}\`.`,
    );
  }
}
