import { failureText } from "../../core/kernel/failure.ts";
import type { Process } from "../../core/kernel/process.ts";
import { applyCloudInit, recordChange } from "../cloud-init/drive.ts";
import type { VmConfig } from "../config/config-text.ts";
import { isCloudInit, parseDrive } from "../config/drive.ts";
import { hotplugFeatures } from "../config/hotplug-features.ts";
import { cloudInitOptions, isDriveSlot } from "../config/options.ts";
import { saveConfig } from "../vm.ts";
import { changeOptionLive, removeOptionLive } from "./hotplug-rules.ts";

// Changes of a running VM: `vmconfig_hotplug_pending` in qemu-server `src/PVE/QemuServer.pm`.

/** Options without an effect on the running process, which are applied at once. */
const fastPlugOptions: ReadonlySet<string> = new Set([
  "description",
  "hookscript",
  "lock",
  "migrate_downtime",
  "migrate_speed",
  "name",
  "onboot",
  "protection",
  "shares",
  "startup",
  "tags",
  "vmstatestorage",
  ...Object.keys(cloudInitOptions),
]);

/**
 * Applies the pending changes of the `selected` options as far as the running VM allows; the rest stays pending without
 * an error. Failures are described in the result, by option.
 */
export async function hotplugPending(
  process: Process,
  vmid: number,
  conf: VmConfig,
  selected: ReadonlySet<string>,
): Promise<Record<string, string>> {
  const errors: Record<string, string> = {};
  takeFastOptions(process, vmid, conf);
  const live = { process, vmid, conf, features: hotplugFeatures(conf.config["hotplug"]) };
  const attempt = async (option: string, change: () => Promise<boolean>): Promise<boolean> => {
    try {
      return await change();
    } catch (thrown) {
      errors[option] = `hotplug problem - ${failureText(thrown)}`;
      return false;
    }
  };
  for (const [option, mode] of Object.entries(conf.pending.delete).sort()) {
    const remove = async () => fastPlugOptions.has(option) || (await removeOptionLive(live, option, mode === 2));
    if (selected.has(option) && (await attempt(option, remove))) {
      recordChange(conf, option, conf.config[option], undefined);
      delete conf.config[option];
      delete conf.pending.delete[option];
    }
  }
  // The drive is generated last, from all the other changes.
  const isDrive = (option: string) => isCloudInitDrive(option, conf.pending.set[option]);
  const options = Object.keys(conf.pending.set).filter((option) => selected.has(option));
  for (const option of [...options.filter((name) => !isDrive(name)), ...options.filter(isDrive)]) {
    const wanted = conf.pending.set[option] ?? "";
    const change = async () => {
      if (isDrive(option)) {
        await applyCloudInit(process, vmid, { ...conf, config: { ...conf.config, [option]: wanted } });
        conf.cloudinit = {};
      }
      return await changeOptionLive(live, option, wanted);
    };
    if (await attempt(option, change)) {
      recordChange(conf, option, conf.config[option], wanted);
      conf.config[option] = wanted;
      delete conf.pending.set[option];
    }
  }
  saveConfig(process, vmid, conf);
  if (live.features.has("cloudinit") && Object.keys(conf.cloudinit).length > 0) {
    await applyCloudInit(process, vmid, conf);
  }
  return errors;
}

function takeFastOptions(process: Process, vmid: number, conf: VmConfig): void {
  const options = Object.keys(conf.pending.set).filter((option) => fastPlugOptions.has(option));
  for (const option of options) {
    const wanted = conf.pending.set[option] ?? "";
    recordChange(conf, option, conf.config[option], wanted);
    conf.config[option] = wanted;
    delete conf.pending.set[option];
  }
  if (options.length > 0) {
    saveConfig(process, vmid, conf);
  }
}

function isCloudInitDrive(option: string, value: string | undefined): boolean {
  const drive = isDriveSlot(option) && value !== undefined ? parseDrive(option, value) : undefined;
  return drive !== undefined && isCloudInit(drive);
}
