import { die } from "../core/kernel/failure.ts";
import { guestConfigLock, type LockOptions } from "../core/kernel/locks.ts";
import type { Process } from "../core/kernel/process.ts";
import type { Guest } from "../core/world/guest.ts";
import type { World } from "../core/world/world.ts";
import { moveGuestAddresses } from "../sdn/guest-addresses.ts";
import type { VmConfig } from "./config/config-text.ts";
import { cloudInitSlot, drivesOf } from "./config/drive.ts";
import { isTrue } from "./config/perl.ts";
import { storeSection } from "./config/stored-value.ts";

/** The VM with that id, if it is on that node. */
export function findVm(world: World, vmid: number, node: string): Guest | undefined {
  const guest = world.guests[vmid];
  return guest?.type === "qemu" && guest.node === node ? guest : undefined;
}

/** `load_config`, for reading only. */
export function getVm({ sim, node }: Process, vmid: number): Guest {
  return (
    findVm(sim.world, vmid, node) ?? die(`Configuration file 'nodes/${node}/qemu-server/${vmid}.conf' does not exist`)
  );
}

/** `assert_config_exists_on_node`: the same error with another text, used where PVE first searches for the process. */
export function requireVm({ sim, node }: Process, vmid: number): Guest {
  return findVm(sim.world, vmid, node) ?? die(`unable to find configuration file for VM ${vmid} on node '${node}'`);
}

/** `load_config`: a copy; changes take effect with `saveConfig`. */
export function loadConfig(process: Process, vmid: number): VmConfig {
  const { config, pending, cloudinit, snapshots } = getVm(process, vmid);
  return structuredClone({ config, pending, cloudinit, snapshots });
}

/** `write_config`: normalises every value as the file format does, or dies and leaves the file unchanged. */
export function saveConfig(process: Process, vmid: number, conf: VmConfig): void {
  const guest = getVm(process, vmid);
  const config = storeSection(withoutLegacyKeys(conf.config));
  const pending = { set: storePending(conf.pending.set), delete: { ...conf.pending.delete } };
  const snapshots = Object.fromEntries(
    Object.entries(conf.snapshots).map(([name, section]) => [name, storeSnapshot(section)]),
  );
  const used = new Set([config, pending.set].flatMap((section) => drivesOf(section).map(([, { file }]) => file)));
  for (const [key, value] of Object.entries(config)) {
    if (/^unused\d+$/.test(key) && used.has(value)) {
      delete config[key];
    }
  }
  const cloudinit = cloudInitSlot(config) === undefined ? {} : { ...conf.cloudinit };
  moveGuestAddresses(process.sim.world, vmid, guest.config, config);
  Object.assign(guest, { config, pending, cloudinit, snapshots });
}

function storePending(set: VmConfig["config"]): VmConfig["config"] {
  // An empty description is pending as an empty comment line, to remove the current one.
  return set["description"] === "" ? { ...storeSection(set), description: "" } : storeSection(set);
}

/** `snapstate` is in the file but is not an option. */
function storeSnapshot({ snapstate, ...options }: VmConfig["config"]): VmConfig["config"] {
  const stored = storeSection(options);
  return snapstate === undefined ? stored : { ...stored, snapstate };
}

/** `cdrom` is an alias of `ide2`, `smp` an old name of `sockets`. */
function withoutLegacyKeys({ cdrom, smp, ...config }: VmConfig["config"]): VmConfig["config"] {
  if (cdrom !== undefined && config["ide2"] !== undefined) {
    die("option ide2 conflicts with cdrom");
  }
  const drives = cdrom === undefined ? config : { ...config, ide2: cdrom };
  if (smp === undefined || drives["sockets"] !== undefined) {
    return drives;
  }
  const { cores: _replaced, ...others } = drives;
  return { ...others, sockets: smp };
}

/** `lock_config`: exclusive and for 10 s by default. */
export function withConfigLock<T>(
  process: Process,
  vmid: number,
  body: () => T | Promise<T>,
  options: LockOptions = {},
): Promise<T> {
  return process.lock(guestConfigLock("qemu", vmid), options, body);
}

/** `check_lock`: the `lock` in the configuration, which persists after the process has ended. */
export function checkLock({ config }: Pick<Guest, "config">): void {
  if (isTrue(config["lock"])) {
    die(`VM is locked (${config["lock"]})`);
  }
}

export function checkProtection({ config }: Pick<Guest, "config">, text: string): void {
  if (isTrue(config["protection"])) {
    die(`${text} - protection mode enabled`);
  }
}

export function isTemplate({ config }: Pick<Guest, "config">): boolean {
  return config["template"] === "1";
}
