import { die } from "../../core/kernel/failure.ts";
import type { Process } from "../../core/kernel/process.ts";
import { type Parsed, parsePropertyString } from "../../core/schema/property-string.ts";
import type { Section } from "../../core/world/guest.ts";
import { pciDevices } from "../../core/world/host-devices.ts";
import type { World } from "../../core/world/world.ts";
import { mapEntries, mappingKinds } from "../../mapping/kinds.ts";
import { hostpciFormat, usbFormat, virtiofsFormat } from "../config/device-formats.ts";
import { isQ35 } from "../config/machine.ts";

/** The entries of a mapping for a node; undefined if the mapping does not exist. */
export function nodeMapping(world: World, type: "pci" | "usb" | "dir", id: string, node: string): Parsed[] | undefined {
  const kind = mappingKinds.find((candidate) => candidate.name === type);
  const section = world.mappings[type][id];
  if (kind === undefined || section === undefined) {
    return undefined;
  }
  return mapEntries(kind, section.options).filter((entry) => entry["node"] === node);
}

/** An id without domain and function means all functions of the device. */
function hasPciDevice(id: string): boolean {
  const full = /^[a-f0-9]{2}:/.test(id) ? `0000:${id}` : id;
  return pciDevices.some((device) => device.id === full || device.id.startsWith(`${full}.`));
}

function checkHostpci(process: Process, value: string, q35: boolean): void {
  const { host, mapping, pcie } = parsePropertyString(hostpciFormat, value);
  if (host !== undefined && mapping !== undefined) {
    die("Cannot set both 'host' and 'mapping'.");
  }
  const entries = mapping === undefined ? [] : (nodeMapping(process.sim.world, "pci", mapping, process.node) ?? []);
  if (mapping !== undefined && entries.length === 0) {
    die(`PCI device mapping not found for '${mapping}'`);
  }
  const ids = mapping === undefined ? (host ?? "").split(";") : entries.flatMap(({ path = "" }) => path.split(";"));
  const missing = ids.find((id) => !hasPciDevice(id));
  if (missing !== undefined) {
    die(`no PCI device found for '${missing}'`);
  }
  if (pcie === "1" && !q35) {
    die("q35 machine model is not enabled at /usr/share/perl5/PVE/QemuServer/PCI.pm line 510.");
  }
}

function checkUsb(process: Process, value: string): void {
  const { host, mapping } = parsePropertyString(usbFormat, value);
  if (host !== undefined || mapping === undefined) {
    return; // QEMU starts without a device that is not plugged in
  }
  const entries = nodeMapping(process.sim.world, "usb", mapping, process.node) ?? [];
  if (entries.length === 0) {
    die(`USB device mapping not found for '${mapping}'`);
  }
  if (entries.length > 1) {
    die("More than one USB mapping per host not supported");
  }
}

function checkVirtiofs(process: Process, value: string): void {
  const { dirid = "" } = parsePropertyString(virtiofsFormat, value);
  const entries = nodeMapping(process.sim.world, "dir", dirid, process.node);
  if (entries === undefined) {
    die(`Directory ID ${dirid} does not exist.`);
  }
  if (entries.length === 0) {
    die(`No directory mapping for node ${process.node}.`);
  }
}

/** The host has no serial and parallel ports. */
const checks: Readonly<Record<string, (process: Process, value: string, config: Section) => void>> = {
  hostpci: (process, value, config) => checkHostpci(process, value, isQ35(config["machine"])),
  usb: checkUsb,
  virtiofs: checkVirtiofs,
  serial: (_process, value) => value === "socket" || die("no such serial device"),
  parallel: () => die("no such parallel device"),
};

/** The host devices of a VM must exist when it starts. */
export function checkHostDevices(process: Process, config: Section): void {
  for (const [key, value] of Object.entries(config)) {
    checks[key.replace(/\d+$/, "")]?.(process, value, config);
  }
}
