import type { RawConfig } from "#kit";
import type { RestoreSteps } from "../guest/kind.ts";
import type { Archive } from "../guest/lifecycle/archive.ts";
import { storageOf } from "../guest/volume.ts";
import type { VmDesired, VmPlan } from "./contexts.ts";
import { onStorage } from "./plan/predict.ts";
import { isVolumeSlot } from "./slots.ts";

/** What no backup contains, and what PVE writes anew (qemu-server: src/PVE/QemuServer.pm, `restore_update_config_line`). */
const leftBehind = /^(unused\d+|parent|snaptime|vmstate|snapstate|running.*|lock|digest)$/;

const isLeftOut = (option: string, line: string): boolean => isVolumeSlot(option) && /(^|,)backup=0(,|$)/.test(line);

/** The configuration a restored VM starts with. Names of volumes in it are those of the backed-up VM, and will differ. */
function restoredConfig({ options }: Archive, wanted: object): RawConfig {
  const storage = (wanted as Partial<VmDesired>).restore?.storage;
  const kept = Object.entries(options).filter(([option, line]) => !leftBehind.test(option) && !isLeftOut(option, line));
  return Object.fromEntries(kept.map(([option, line]) => [option, storage ? onStorage(option, line, storage) : line]));
}

/** How VMs are restored. Server side: qemu-server `src/PVE/API2/Qemu.pm`, `create_vm` with `archive`. */
export const vmRestore: RestoreSteps = {
  task: "qmrestore",
  config: restoredConfig,
  parameters(archive, desired) {
    const { restore } = desired as VmDesired;
    return {
      archive: archive.volume,
      ...(restore?.storage && { storage: restore.storage }),
      ...(restore?.live && { "live-restore": true }),
    };
  },
  setLater: () => ({}),
  async check(given, api, { volume, options }) {
    const context = given as VmPlan;
    const { config, report } = context;
    const left = Object.keys(options).filter((option) => isLeftOut(option, options[option] ?? ""));
    if (left.length > 0) {
      const slots = left.map((slot) => `\`${slot}\``).join(", ");
      report.warning(
        "restore.archive",
        "Not in the backup",
        `${slots} had \`backup = false\`, so the backup does not contain it, and the VM will not have it. Add it to \`disks\` to have a new, empty disk.`,
      );
    }
    if (!config.restore?.live) return;
    if (options["template"] === "1") {
      const detail = "The backup contains a template, which cannot run. Remove `live`.";
      report.error("restore.live", "No live restore of a template", detail);
      return;
    }
    const storage = storageOf(volume);
    const { storages } = await api.inventory.snapshot();
    const type = storages.find((one) => one.storage === storage)?.["plugintype"];
    if (type === undefined || type === "pbs") return;
    report.error(
      "restore.live",
      "No live restore from here",
      `Proxmox VE starts a VM before its data are restored only from a Proxmox Backup Server, and \`${storage}\` is a storage of type \`${String(type)}\`. Remove \`live\`, or use a backup on a storage of type \`pbs\`.`,
    );
  },
};
