import { permissionError } from "../core/kernel/failure.ts";
import type { Process } from "../core/kernel/process.ts";
import { type Parsed, parsePropertyString } from "../core/schema/property-string.ts";
import type { Section } from "../core/world/guest.ts";
import { checkTagPrivileges } from "../guests/tags.ts";
import { checkVolumeAccess } from "../storage/access.ts";
import { featuresFormat } from "./formats.ts";
import { mountType, newVolumePattern, parseMount } from "./mounts.ts";
import { checkNetworkAccess } from "./networks.ts";
import { isDeviceKey, isMountKey, isNetworkKey } from "./options.ts";

interface Change {
  readonly vmid: number;
  readonly pool?: string | undefined;
  readonly old: Section;
  /** New values; undefined for options that are deleted or reverted. */
  readonly values: Readonly<Record<string, string | undefined>>;
  readonly isUnprivileged: boolean;
}

/** `check_ct_modify_config_perm`: each option requires its privilege; some require root@pam. */
export function checkOptionPrivileges(process: Process, change: Change): void {
  if (process.caller.isRoot) {
    return;
  }
  for (const [key, value] of Object.entries(change.values)) {
    checkOption(process, change, key, value);
  }
}

function checkOption(process: Process, change: Change, key: string, value: string | undefined): void {
  const { caller } = process;
  const { vmid, pool, old } = change;
  if (["cores", "cpuunits", "cpulimit"].includes(key)) {
    caller.checkVm(vmid, pool, ["VM.Config.CPU"]);
  } else if (isMountKey(key)) {
    caller.checkVm(vmid, pool, ["VM.Config.Disk"]);
    if (value !== undefined) {
      checkMount(process, vmid, key, value);
    }
  } else if (key === "memory" || key === "swap") {
    caller.checkVm(vmid, pool, ["VM.Config.Memory"]);
  } else if (isNetworkKey(key)) {
    caller.checkVm(vmid, pool, ["VM.Config.Network"]);
    for (const network of [old[key], value].filter((text) => text !== undefined)) {
      checkNetworkAccess(process.sim.world, caller, network);
    }
  } else if (isDeviceKey(key)) {
    permissionError("configuring device passthrough is only allowed for root@pam");
  } else if (["nameserver", "searchdomain", "hostname"].includes(key)) {
    caller.checkVm(vmid, pool, ["VM.Config.Network"]);
  } else if (key === "features") {
    checkFeatures(process, change, value);
  } else if (key === "hookscript") {
    permissionError("changing the hookscript is only allowed for root@pam");
  } else if (key === "tags") {
    checkTagPrivileges(process.sim.world, caller, vmid, old["tags"] ?? "", value ?? "");
  } else {
    caller.checkVm(vmid, pool, ["VM.Config.Options"]);
  }
}

function checkMount({ sim, caller }: Process, vmid: number, key: string, value: string): void {
  const mount = parseMount(key, value);
  const type = mountType(mount);
  if (type !== "volume") {
    permissionError(`mount point type ${type} is only allowed for root@pam`);
  }
  const [, storage] = newVolumePattern.exec(mount.volume) ?? [];
  if (storage === undefined) {
    checkVolumeAccess(sim.world, caller, mount.volume, { vmid, content: "rootdir" });
  } else {
    caller.check(`/storage/${storage}`, ["Datastore.AllocateSpace"]);
  }
}

/** Nesting requires the privilege to allocate the container, all other features root@pam. */
function checkFeatures(
  { caller }: Process,
  { vmid, pool, old, isUnprivileged }: Change,
  value: string | undefined,
): void {
  if (!isUnprivileged) {
    permissionError("changing feature flags for privileged container is only allowed for root@pam");
  }
  const parse = (text: string | undefined): Parsed =>
    text === undefined ? {} : parsePropertyString(featuresFormat, text);
  const before = parse(old["features"]);
  const after = parse(value);
  const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => before[name] !== after[name],
  );
  if (changed.some((name) => name !== "nesting")) {
    permissionError("changing feature flags (except nesting) is only allowed for root@pam");
  }
  if (changed.length > 0) {
    caller.checkVm(vmid, pool, ["VM.Allocate"]);
  }
}
