import { die } from "../core/kernel/failure.ts";
import { namedFormat } from "../core/schema/format.ts";
import { nodeFormat } from "../core/schema/formats.ts";
import {
  type Parsed,
  type PropertyFormat,
  parsePropertyString,
  propertyFormat,
} from "../core/schema/property-string.ts";
import { boolean, integer, type Properties, string } from "../core/schema/schema.ts";
import { pciDevices, usbDevices } from "../core/world/host-devices.ts";
import type { SectionOptions } from "../core/world/section.ts";

/** One of the three kinds of mappings (pve-guest-common `src/PVE/Mapping/*.pm`). */
export interface MappingKind {
  readonly name: "pci" | "usb" | "dir";
  readonly file: string;
  /** One entry of `map`: the mapping on one node. */
  readonly entry: PropertyFormat;
  readonly options: Properties;
  /** The member with the results of `check-node`. */
  readonly checks: "checks" | "errors";
  /** The noun in errors of create and update: `create hardware mapping failed`. */
  readonly noun: string;
  /** Dies if the mapping is not correct on the node. */
  check(id: string, entry: Parsed, options: SectionOptions): void;
  /** Dies if the entries contradict each other. */
  checkAll?(entries: readonly Parsed[]): void;
  /** Checks a new mapping's entry for the node that answers; dies if it is wrong. */
  checkHere?(entry: Parsed): void;
}

const node = string({ format: nodeFormat });
const hardwareId = "[0-9A-Fa-f]{4}:[0-9A-Fa-f]{4}";
const pciPath = "[a-f0-9]{4,}:[a-f0-9]{2}:[a-f0-9]{2}(?:.[a-f0-9])?";
const flag = boolean({ optional: true, default: 0 });

const pathFormat = namedFormat("pve-storage-path-in-property-string", (value) => {
  if (!/^\/[^;,=()]+/.test(value)) {
    die("Value does not look like a valid absolute path. These symbols are currently not allowed in path: ;,=()");
  }
});

/** Compares the properties that identify the device in a slot. */
function checkPci(id: string, { path = "", ...configured }: Parsed, { mdev }: SectionOptions): void {
  for (const [index, slot] of path.split(";").entries()) {
    const address = /\.[a-f0-9]/i.test(slot) ? slot : `${slot}.0`;
    const device = pciDevices.find((candidate) => candidate.id === address) ?? die(`pci device '${address}' not found`);
    const expected = {
      id: `${device.vendor}:${device.device}`,
      ...(index === 0 && { iommugroup: String(device.iommugroup) }),
      mdev: "0",
      "subsystem-id": `${device.subsystem_vendor}:${device.subsystem_device}`,
    };
    for (const [name, value] of Object.entries(expected)) {
      const given = name === "mdev" ? (mdev === "1" ? "1" : "0") : configured[name];
      if (given === undefined) {
        die(`missing expected property '${name}' for device '${address}'`);
      }
      const plain = (text: string) => text.replaceAll("0x", "");
      if (plain(value) !== plain(given)) {
        die(`'${name}' does not match for '${id}' (${plain(value)} != ${plain(given)})`);
      }
    }
  }
}

function checkUsb(id: string, { path, id: hardware = "" }: Parsed): void {
  const idOf = ({ vendid, prodid }: (typeof usbDevices)[number]) => `${vendid}:${prodid}`;
  if (path === undefined) {
    if (!usbDevices.some((device) => idOf(device) === hardware)) {
      die(`usb device '${hardware}' not found`);
    }
    return;
  }
  const pathOf = (device: (typeof usbDevices)[number]) =>
    "usbpath" in device ? `${device.busnum}-${device.usbpath}` : "";
  const device = usbDevices.find((candidate) => pathOf(candidate) === path) ?? die(`usb device '${path}' not found`);
  if (idOf(device) !== hardware) {
    die(`'id' does not match for '${id}' (${idOf(device)} != ${hardware})`);
  }
}

/** All paths below a host's usual top-level directories are assumed to exist. */
const usualDirectories = /^\/(boot|dev|etc|home|lib|media|mnt|opt|proc|root|run|srv|sys|tmp|usr|var)(\/|$)/;

function checkDirectory({ path = "" }: Parsed): void {
  if (!usualDirectories.test(path)) {
    die(`Path ${path} does not exist`);
  }
}

export const mappingKinds: readonly MappingKind[] = [
  {
    name: "pci",
    file: "mapping/pci.cfg",
    entry: propertyFormat({
      node,
      id: string({ pattern: hardwareId }),
      "subsystem-id": string({ optional: true, pattern: hardwareId }),
      path: string({ pattern: `(?:${pciPath};)*${pciPath}` }),
      iommugroup: integer({ optional: true }),
      description: string({ optional: true, maxLength: 4096 }),
    }),
    options: { mdev: flag, "live-migration-capable": flag },
    checks: "checks",
    noun: "hardware",
    check: checkPci,
  },
  {
    name: "usb",
    file: "mapping/usb.cfg",
    entry: propertyFormat({
      node,
      id: string({ pattern: hardwareId }),
      path: string({ optional: true, pattern: "(\\d+)\\-(\\d+(\\.\\d+)*)" }),
      description: string({ optional: true, maxLength: 4096 }),
    }),
    options: {},
    checks: "errors",
    noun: "hardware",
    check: checkUsb,
  },
  {
    name: "dir",
    file: "mapping/directory.cfg",
    entry: propertyFormat({ node, path: string({ format: pathFormat }) }),
    options: {},
    checks: "checks",
    noun: "directory",
    check: (_, entry) => checkDirectory(entry),
    checkHere: checkDirectory,
    checkAll: (entries) => {
      const nodes = entries.map((entry) => entry["node"]);
      for (const name of new Set(nodes)) {
        const count = nodes.filter((candidate) => candidate === name).length;
        if (count > 1) {
          die(`Node '${name}' is specified ${count} times.`);
        }
      }
    },
  },
];

/** The entries of a mapping, parsed. */
export function mapEntries(kind: MappingKind, options: SectionOptions): Parsed[] {
  return [options["map"] ?? []].flat().map((text) => parsePropertyString(kind.entry, text));
}
