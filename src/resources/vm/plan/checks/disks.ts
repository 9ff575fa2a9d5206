import { bytesOf } from "#kit";
import type { Change } from "../../../guest/plan/checks/change.ts";
import { fileOf } from "../../blocks/drive-slots.ts";
import type { VmPlan } from "../../contexts.ts";
import { namedVolumes } from "../../slots.ts";

/** What a disk must say for itself: a new one where and how large it is, one that exists no smaller size than it has. */
export function checkDisks({ config, planned, report }: VmPlan, { before }: Change): void {
  for (const [slot, disk] of Object.entries(config.disks ?? {})) {
    if (!disk) continue;
    const path = (member: string) => ["disks", slot, member];
    const now = before.read({ option: slot, key: "size" });
    if (before.has(slot)) {
      // Where the disk was grown outside of Terraform, the plan keeps the size it has.
      const size = disk.size && (planned.disks?.[slot]?.size ?? disk.size);
      const [wanted, current] = [size ? bytesOf(size) : null, typeof now === "string" ? bytesOf(now) : null];
      const isSame = disk.volume === null || disk.volume === fileOf(before, slot);
      if (isSame && wanted !== null && current !== null && wanted < current) {
        report.error(
          path("size"),
          "Disks cannot shrink",
          `\`${slot}\` is ${now} and cannot become ${disk.size}. Make it at least ${now}.`,
        );
      }
      continue;
    }
    // A slot that comes back may get the disk it had.
    if (disk.volume !== null || planned.disks?.[slot]?.volume) continue;
    if (disk.storage === null) {
      report.error(path("storage"), "Storage needed", `\`${slot}\` is a new disk: set its storage.`);
    }
    if (disk.size === null && disk.import_from === null) {
      report.error(path("size"), "Size needed", `\`${slot}\` is a new disk: say how large, or what to import.`);
    }
  }
  for (const [name, slot] of namedVolumes) {
    const drive = config[name];
    if (drive && !before.has(slot) && drive.storage === null && drive.volume === null && !planned[name]?.volume) {
      report.error([name, "storage"], "Storage needed", "It is new: set its storage.");
    }
  }
}
