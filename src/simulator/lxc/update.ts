import { endpoint } from "../core/kernel/endpoint.ts";
import { die, failureText, paramError } from "../core/kernel/failure.ts";
import type { Process } from "../core/kernel/process.ts";
import { splitList } from "../core/schema/format.ts";
import { configIdListFormat } from "../core/schema/formats.ts";
import { string } from "../core/schema/schema.ts";
import { node, vmid } from "../core/schema/standard-options.ts";
import type { Guest } from "../core/world/guest.ts";
import { requireBridge } from "../guests/bridges.ts";
import { normaliseTags } from "../guests/tags.ts";
import { checkHookScript } from "../storage/hook-script.ts";
import { getImage } from "../storage/images.ts";
import { volumeSize } from "../storage/volumes.ts";
import { assertContainerDigest, checkLock, checkProtection, getContainer, withContainerLock } from "./container.ts";
import { checkDevice } from "./devices.ts";
import {
  checkMountStorage,
  createMount,
  dropMountedUnused,
  isVolumeInSnapshots,
  mountType,
  newVolumePattern,
  parkVolume,
  parseMount,
  printMount,
  removeVolume,
} from "./mounts.ts";
import { checkNetwork, completeNetwork, parseNetwork } from "./networks.ts";
import { containerOptions, isDeviceKey, isMountKey, isNetworkKey, isUnusedKey } from "./options.ts";
import { checkOptionPrivileges } from "./privileges.ts";
import { refuseNotReplicated } from "./replicated-volumes.ts";
import { checkRuntimeConfig } from "./runtime-config.ts";

// pve-container `src/PVE/LXC/Config.pm`, `update_pct_config`: changes are stored in a separate section until they
// apply.

/** Options that take effect on a running container without further action. */
const fastOptions = [
  "description",
  "onboot",
  "startup",
  "protection",
  "hostname",
  "hookscript",
  "cores",
  "tags",
  "lock",
];
const liveOptions = ["cpulimit", "cpuunits", "memory", "swap"];

export interface ContainerChange {
  readonly set: Readonly<Record<string, string>>;
  readonly delete?: readonly string[];
  readonly revert?: readonly string[];
}

/** The stored form of a given value; dies if it is invalid. */
export function normalizeOption(process: Process, guest: Guest, key: string, value: string): string {
  if (isMountKey(key)) {
    checkProtection(guest, `can't update CT ${guest.vmid} drive '${key}'`);
    const mount = parseMount(key, value);
    if (mountType(mount) === "volume") {
      checkMountStorage(process.sim.world, mount);
    }
  }
  if (isDeviceKey(key)) {
    checkDevice(key, value);
  }
  if (isNetworkKey(key)) {
    checkNetwork(process, key, value);
  }
  switch (key) {
    case "hookscript":
      checkHookScript(process, value);
      return value;
    case "nameserver":
    case "searchdomain":
      return splitList(value).join(" ");
    case "tags":
      // Empty tags are a line with only a blank after the key, which is read back as the value.
      return normaliseTags(process.sim.world, value) || " ";
    case "cpuunits":
      return String(Math.min(Number(value), 10_000));
    case "description":
      return value === "" ? "" : `${value.replace(/\n+$/, "")}\n`;
    case "unprivileged":
      return die(`unable to modify read-only option: '${key}'`);
    default:
      return value;
  }
}

function stageDeletion(guest: Guest, key: string, print: (line: string) => void): void {
  const { config, pending, vmid: id } = guest;
  if (config[key] === undefined && pending.set[key] === undefined) {
    print(`cannot delete '${key}' - not set in current configuration!`);
    return;
  }
  if (["memory", "rootfs", "ostype"].includes(key)) {
    die(`unable to delete required option '${key}'`);
  }
  if (key === "unprivileged") {
    die(`unable to delete read-only option: '${key}'`);
  }
  if (isUnusedKey(key) || isMountKey(key)) {
    checkProtection(guest, `can't remove CT ${id} drive '${key}'`);
  }
  // A value that waits stays beside the removal, and is applied after it.
  pending.delete[key] = 1;
}

/** Applies the request as far as the container's state allows; the rest stays pending. */
export async function updateContainer(process: Process, guest: Guest, change: ContainerChange): Promise<void> {
  const { pending } = guest;
  for (const key of change.revert ?? []) {
    delete pending.set[key];
    delete pending.delete[key];
  }
  for (const key of change.delete ?? []) {
    stageDeletion(guest, key, (line) => process.print(line));
  }
  for (const key of Object.keys(change.set).sort()) {
    pending.set[key] = normalizeOption(process, guest, key, change.set[key] ?? "");
    delete pending.delete[key];
  }
  cleanUpPending(guest);
  const touched = [...Object.keys(change.set), ...(change.delete ?? [])];
  await applyPending(process, guest, touched);
}

/** `cleanup_pending`: removes pending changes that are already in effect. */
function cleanUpPending({ config, pending }: Guest): void {
  for (const key of Object.keys(pending.set)) {
    if (pending.set[key] === config[key]) {
      delete pending.set[key];
    }
  }
  for (const key of Object.keys(pending.delete)) {
    if (config[key] === undefined) {
      delete pending.delete[key];
    }
  }
}

/** `vmconfig_apply_pending` and `vmconfig_hotplug_pending`: all pending changes if no keys are given. */
export async function applyPending(process: Process, guest: Guest, keys?: readonly string[]): Promise<void> {
  const { pending } = guest;
  const errors: Record<string, string> = {};
  const attempt = async (key: string, apply: () => Promise<boolean>) => {
    try {
      return await apply();
    } catch (thrown) {
      const verb = guest.run === undefined ? `apply pending change ${key} :` : `hotplug ${key}:`;
      errors[key] = `unable to ${verb} ${failureText(thrown)}`;
      return false;
    }
  };
  const isMeant = (key: string) => keys === undefined || keys.includes(key);
  for (const key of Object.keys(pending.delete).filter(isMeant).sort()) {
    if (await attempt(key, () => applyDeletion(process, guest, key))) {
      delete guest.config[key];
      delete pending.delete[key];
    }
  }
  for (const key of Object.keys(pending.set).filter(isMeant).sort()) {
    if (await attempt(key, () => applyValue(process, guest, key))) {
      setOption(guest, key, pending.set[key] ?? "");
      delete pending.set[key];
    }
  }
  if (Object.keys(errors).length > 0) {
    paramError(errors);
  }
}

function setOption({ config }: Guest, key: string, value: string): void {
  if (key === "description" && value === "") {
    delete config[key];
  } else {
    config[key] = value;
  }
}

/** False if a running container must be restarted first. */
async function applyDeletion(process: Process, guest: Guest, key: string): Promise<boolean> {
  const value = guest.config[key];
  const isRunning = guest.run !== undefined;
  if (isUnusedKey(key) && value !== undefined) {
    const { volume } = parseMount(key, value);
    if (!isVolumeInSnapshots(guest, volume)) {
      await removeVolume(process, guest.vmid, volume);
    }
    return true;
  }
  if (isRunning) {
    // Config.pm matches one digit: a device with a higher number waits for the restart.
    return fastOptions.includes(key) || (liveOptions.includes(key) && key !== "memory") || /^net\d$/.test(key);
  }
  if (isMountKey(key) && value !== undefined) {
    const mount = parseMount(key, value);
    delete guest.config[key];
    if (mountType(mount) === "volume") {
      parkVolume(guest.config, mount.volume);
    }
  }
  return true;
}

async function applyValue(process: Process, guest: Guest, key: string): Promise<boolean> {
  const value = guest.pending.set[key] ?? "";
  const isRunning = guest.run !== undefined;
  if (isNetworkKey(key)) {
    guest.pending.set[key] = completeNetwork(process.sim, value);
    if (isRunning) {
      requireBridge(process, parseNetwork(value)["bridge"] ?? "");
    }
    return true;
  }
  if (isRunning && isDeviceKey(key)) {
    return guest.config[key] === undefined;
  }
  if (/^mp\d+$/.test(key)) {
    if (isRunning && guest.config[key] !== undefined) {
      return false;
    }
    await applyMount(process, guest, key, value);
    return true;
  }
  return !isRunning || fastOptions.includes(key) || liveOptions.includes(key);
}

/**
 * `apply_pending_mountpoint`: allocates a new volume, and keeps the previous one as unused. A volume need not exist.
 */
async function applyMount(process: Process, guest: Guest, key: string, value: string): Promise<void> {
  const { world } = process.sim;
  const mount = parseMount(key, value);
  const isVolume = mountType(mount) === "volume";
  if (isVolume && newVolumePattern.test(mount.volume)) {
    guest.pending.set[key] = await createMount(process, guest.vmid, key, value);
  } else {
    if (guest.run !== undefined && isVolume) {
      getImage(world, mount.volume, process.node);
    }
    const { size: given, ...rest } = mount;
    // `$rescan_volume` warns, and leaves the size as it was given.
    const size = (isVolume ? volumeSize(world, mount.volume, process.node) : undefined) ?? given;
    guest.pending.set[key] = printMount(key, { ...rest, ...(size !== undefined && { size: String(size) }) });
  }
  const old = guest.config[key];
  if (old !== undefined) {
    const replaced = parseMount(key, old);
    delete guest.config[key];
    if (mountType(replaced) === "volume") {
      parkVolume(guest.config, replaced.volume);
    }
  }
}

function checkLists(change: Required<ContainerChange>): void {
  for (const key of change.revert) {
    if (!Object.hasOwn(containerOptions, key)) {
      paramError({ revert: `unknown option '${key}'` });
    }
    if (change.set[key] !== undefined) {
      paramError({ revert: `you can't use '-${key}' and '-revert ${key}' at the same time` });
    }
  }
  for (const key of change.delete) {
    if (!Object.hasOwn(containerOptions, key)) {
      paramError({ delete: `unknown option '${key}'` });
    }
    if (change.set[key] !== undefined) {
      paramError({ delete: `you can't use '-${key}' and -delete ${key}' at the same time` });
    }
    if (change.revert.includes(key)) {
      paramError({ delete: `you can't use '-delete ${key}' and '-revert ${key}' at the same time` });
    }
  }
}

export const updateEndpoint = endpoint({
  method: "PUT",
  path: "/nodes/{node}/lxc/{vmid}/config",
  protected: true,
  proxyTo: "node",
  permissions: {
    check: [
      "perm",
      "/vms/{vmid}",
      ["VM.Config.Disk", "VM.Config.CPU", "VM.Config.Memory", "VM.Config.Network", "VM.Config.Options"],
      { any: true },
    ],
  },
  parameters: {
    node,
    vmid,
    ...containerOptions,
    delete: string({ optional: true, format: configIdListFormat }),
    revert: string({ optional: true, format: configIdListFormat }),
    digest: string({ optional: true, maxLength: 40 }),
  },
  handler: async (call) => {
    const { node: _, vmid: __, digest, delete: deletions, revert, ...set } = call.given;
    if (Object.keys(set).length === 0 && deletions === undefined && revert === undefined) {
      die("no options specified");
    }
    const change = { set, delete: splitList(deletions ?? ""), revert: splitList(revert ?? "") };
    const id = Number(call.params.vmid);
    await withContainerLock(call, id, async () => {
      const guest = getContainer(call, id);
      checkLock(guest);
      assertContainerDigest(guest, digest);
      const isUnprivileged = guest.config["unprivileged"] === "1";
      const about = { vmid: id, old: guest.config, isUnprivileged };
      const deleted = Object.fromEntries([...change.delete, ...change.revert].map((key) => [key, undefined]));
      checkOptionPrivileges(call, { ...about, values: deleted });
      checkLists(change);
      checkOptionPrivileges(call, { ...about, values: set });
      refuseNotReplicated(call.world, id, set);
      const copy = structuredClone(guest);
      await updateContainer(call, copy, change);
      dropMountedUnused(copy.config);
      Object.assign(guest, { config: copy.config, pending: copy.pending });
      checkRuntimeConfig(call, guest);
    });
    return null;
  },
});
