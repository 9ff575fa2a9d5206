import type { Caller } from "../../core/access/caller.ts";
import { die, paramError } from "../../core/kernel/failure.ts";
import { type Parsed, type PropertyFormat, parsePropertyString } from "../../core/schema/property-string.ts";
import { cpuFormat, isCustomCpuModel } from "../config/cpu-format.ts";
import { hostpciFormat, rngFormat, usbFormat, virtiofsFormat } from "../config/device-formats.ts";
import { isTrue } from "../config/perl.ts";

// Host devices require further privileges that depend on the value: qemu-server `src/PVE/API2/Qemu.pm`.

interface Target {
  readonly vmid: number;
  readonly pool?: string | undefined;
}

type ValueCheck = (caller: Caller, target: Target, option: string, value: string) => void;

function mappedOrRefused(device: Parsed, caller: Caller, kind: "usb" | "pci", refusal: string): void {
  if (isTrue(device["host"])) {
    die(refusal);
  }
  if (!isTrue(device["mapping"])) {
    die("either 'host' or 'mapping' must be set.");
  }
  caller.check(`/mapping/${kind}/${device["mapping"]}`, ["Mapping.Use"]);
}

const isSpice = (device: Parsed) => /^spice$/i.test(device["host"] ?? "");

const checkUsb: ValueCheck = (caller, { vmid, pool }, option, value) => {
  caller.checkVm(vmid, pool, ["VM.Config.HWType"]);
  const device = parsePropertyString(usbFormat, value);
  if (!isSpice(device)) {
    mappedOrRefused(device, caller, "usb", `only root can set '${option}' config for real devices`);
  }
};

const checkHostpci: ValueCheck = (caller, { vmid, pool }, option, value) => {
  const device = parsePropertyString(hostpciFormat, value);
  mappedOrRefused(device, caller, "pci", `only root can set '${option}' config for non-mapped devices`);
  caller.checkVm(vmid, pool, ["VM.Config.HWType"]);
  if (device["romfile"] !== undefined) {
    paramError({ [option]: "only root@pam can set 'romfile' option" });
  }
};

const checkRng: ValueCheck = (caller, { vmid, pool }, _option, value) => {
  caller.checkVm(vmid, pool, ["VM.Config.HWType"]);
  if (parsePropertyString(rngFormat, value)["source"] === "/dev/hwrng") {
    caller.check("/mapping/hwrng", ["Mapping.Use"]);
  }
};

const checkVirtiofs: ValueCheck = (caller, { vmid, pool }, _option, value) => {
  caller.checkVm(vmid, pool, ["VM.Config.Disk"]);
  caller.check(`/mapping/dir/${parsePropertyString(virtiofsFormat, value)["dirid"]}`, ["Mapping.Use"]);
};

const checksByFamily: Readonly<Record<string, ValueCheck>> = {
  usb: checkUsb,
  hostpci: checkHostpci,
  rng: checkRng,
  virtiofs: checkVirtiofs,
};

/** Checks that the caller may use that host device in the VM. Options of other kinds pass. */
export function checkDevicePrivileges(caller: Caller, target: Target, option: string, value: string): void {
  if (!caller.isRoot) {
    checksByFamily[option.replace(/\d+$/, "")]?.(caller, target, option, value);
  }
}

/** At creation; an existing port has its own texts (`options.ts`). */
export function checkNewSerialPort(caller: Caller, { vmid, pool }: Target, option: string, value: string): void {
  if (caller.isRoot) {
    return;
  }
  if (value !== "socket") {
    die(`only root can set '${option}' config for real devices`);
  }
  caller.checkVm(vmid, pool, ["VM.Config.HWType"]);
}

/** `check_mapping_access`: a clone copies devices without the privileges of options, but requires those of mappings. */
export function checkMappingAccess(caller: Caller, section: Readonly<Record<string, string>>): void {
  if (caller.isRoot) {
    return;
  }
  for (const [option, value] of Object.entries(section)) {
    const parsed = (format: PropertyFormat) => parsePropertyString(format, value);
    if (/^usb\d+$/.test(option) && !isSpice(parsed(usbFormat))) {
      mappedOrRefused(parsed(usbFormat), caller, "usb", `only root can set '${option}' config for real devices`);
    } else if (/^hostpci\d+$/.test(option)) {
      const refusal = `only root can set '${option}' config for non-mapped devices`;
      mappedOrRefused(parsed(hostpciFormat), caller, "pci", refusal);
    } else if (/^rng\d+$/.test(option) && parsed(rngFormat)["source"] === "/dev/hwrng") {
      caller.check("/mapping/hwrng", ["Mapping.Use"]);
    } else if (/^virtiofs\d$/.test(option)) {
      caller.check(`/mapping/dir/${parsed(virtiofsFormat)["dirid"]}`, ["Mapping.Use"]);
    }
  }
}

/** A custom CPU model requires the privilege on its mapping, unless the VM already has that model. */
export function checkCpuModelAccess(caller: Caller, cpu: string | undefined, present?: string): void {
  if (cpu === undefined) {
    return;
  }
  const { cputype = "" } = parsePropertyString(cpuFormat, cpu);
  const kept = isTrue(present) && parsePropertyString(cpuFormat, present)["cputype"] === cputype;
  if (!kept && isCustomCpuModel(cputype)) {
    caller.check(`/mapping/cpu/${cputype.replace(/^custom-/, "")}`, ["Mapping.Use"]);
  }
}
