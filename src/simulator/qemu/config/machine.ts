import { die } from "../../core/kernel/failure.ts";
import { parsePropertyString, printPropertyString } from "../../core/schema/property-string.ts";
import { machineFormat } from "./device-formats.ts";
import { isTrue } from "./perl.ts";

// Machine types: qemu-server `src/PVE/QemuServer/Machine.pm`.

export type Machine = ReturnType<typeof parseMachine>;

export function parseMachine(text: string | undefined): Record<string, string> {
  return isTrue(text) ? parsePropertyString(machineFormat, text) : {};
}

/** The highest `+pveN` revision of a QEMU machine version. */
const pveRevisions: Readonly<Record<string, number>> = { "4.1": 2, "9.2": 1, "10.0": 1, "11.0": 2 };

/** `11.0+pve2` for the installed QEMU 11.0.0. */
function latestVersion(qemuVersion: string): string {
  const [version = ""] = /^\d+\.\d+/.exec(qemuVersion) ?? [];
  const revision = pveRevisions[version];
  return revision === undefined ? version : `${version}+pve${revision}`;
}

/** `11.0+pve1` as numbers; undefined for an unversioned type. */
function versionOf(type: string): { major: number; minor: number; revision: number } | undefined {
  const match = /^(?:pc(?:-i440fx|-q35)?|virt)-(\d+)\.(\d+)(?:\.\d+)?(?:\+pve(\d+))?/.exec(type);
  return match === null
    ? undefined
    : { major: Number(match[1]), minor: Number(match[2]), revision: Number(match[3] ?? 0) };
}

/** A machine must not be newer than the installed version. */
export function checkMachineVersion(type: string | undefined, qemuVersion: string, node: string): void {
  const version = versionOf(type ?? "");
  if (type === undefined || version === undefined) {
    return;
  }
  const { major, minor, revision } = version;
  const [installedMajor = 0, installedMinor = 0] = qemuVersion.split(".").map(Number);
  const named = type.includes("+pve") ? type : `${type}+pve0`;
  if (major > installedMajor || (major === installedMajor && minor > installedMinor)) {
    const problem = `is too old to run machine type '${named}'`;
    die(`Installed QEMU version '${qemuVersion}' ${problem}, please upgrade node '${node}'`);
  }
  const highest = pveRevisions[`${major}.${minor}`] ?? 0;
  if (revision > highest) {
    const level = `max feature level for ${major}.${minor} is pve${highest}`;
    die(`Installed qemu-server (${level}) is too old to run machine type '${named}', please upgrade node '${node}'`);
  }
}

/** The machine that a running process reports; the revision is the one that its devices need. */
export function runningMachine(text: string | undefined, qemuVersion: string): string {
  const { type = "pc" } = parseMachine(text);
  const [version = ""] = /^\d+\.\d+/.exec(qemuVersion) ?? [];
  const families = { pc: "pc-i440fx", q35: "pc-q35", virt: "virt" } as const;
  const family = families[type as keyof typeof families];
  const named = family === undefined ? type : `${family}-${version}`;
  return named.includes("+pve") ? named : `${named}+pve0`;
}

export function windowsVersion(ostype: string | undefined): number {
  if (ostype === "wxp" || ostype === "w2k3" || ostype === "w2k") {
    return 5;
  }
  if (ostype === "w2k8" || ostype === "wvista") {
    return 6;
  }
  return Number(/^win(\d+)$/.exec(ostype ?? "")?.[1] ?? 0);
}

/** `assert_valid_machine_property`. */
export function checkMachine(machine: Machine): void {
  const { viommu, type = "", "aw-bits": bits } = machine;
  if (viommu === "intel") {
    if (!type.includes("q35")) {
      die("to use Intel vIOMMU please set the machine type to q35");
    }
    if (isTrue(bits) && Number(bits) !== 39 && Number(bits) !== 48) {
      die("Intel vIOMMU supports only 39 or 48 bits as address width");
    }
  }
  if (isTrue(bits) && viommu === undefined) {
    die("cannot set aw-bits if no vIOMMU is configured");
  }
}

export interface Pinning {
  readonly machine: string | undefined;
  readonly ostype: string | undefined;
  readonly arch: string;
  readonly qemuVersion: string;
}

/**
 * `check_and_pin_machine_string`: Windows does not support a changing machine, so an unversioned type is replaced by
 * the newest version. Empty if there is nothing to store.
 */
export function pinMachine(
  { machine: text, ostype, arch, qemuVersion }: Pinning,
  print: (line: string) => void,
): string {
  const machine = parseMachine(text);
  const type = machine["type"] ?? "";
  if (windowsVersion(ostype) > 0 && (type === "" || /^(?:pc|q35|virt)$/.test(type))) {
    const family = type === "q35" ? "pc-q35" : type === "virt" || arch === "aarch64" ? "virt" : "pc-i440fx";
    machine["type"] = `${family}-${latestVersion(qemuVersion)}`;
    print(`pinning machine type to '${machine["type"]}' for Windows guest OS`);
  }
  checkMachine(machine);
  return printPropertyString(machineFormat, machine);
}

export function isQ35(text: string | undefined): boolean {
  return parseMachine(text)["type"]?.includes("q35") ?? false;
}
