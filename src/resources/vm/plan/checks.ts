import type { Members, Session } from "#kit";
import { checkAttachments } from "../../guest/plan/checks/attachments.ts";
import type { Change } from "../../guest/plan/checks/change.ts";
import { checkNode } from "../../guest/plan/checks/place.ts";
import type { VmPlan } from "../contexts.ts";
import { families } from "../slots.ts";
import { checkCpu } from "./checks/cpu.ts";
import { checkDisks } from "./checks/disks.ts";
import { checkFiles } from "./checks/files.ts";
import { checkImageSizes } from "./checks/image-size.ts";
import { checkMachine } from "./checks/machine.ts";
import { checkMappings } from "./checks/mappings.ts";
import { checkMigration } from "./checks/migration.ts";
import { checkNetworks } from "./checks/network.ts";
import { checkSettings } from "./checks/settings.ts";
import { checkSource } from "./checks/source.ts";
import { checkStorages } from "./checks/storages.ts";

/**
 * Refuses, with the attribute named, what PVE would refuse in the middle of an apply. Unknown values are not judged,
 * what this plan will create counts as existing, and a change is judged by what it changes.
 */
export async function checkChange(context: VmPlan, api: Session, change: Change): Promise<void> {
  checkDisks(context, change);
  checkCompleteness(context, change);
  checkBootOrder(context, change);
  checkSettings(context, change);
  await checkSource(context, api, change);
  if (!(await checkNode(context, api, change))) return;
  await checkStorages(context, api, change);
  await checkMigration(context, api, change);
  await checkNetworks(context, api, change);
  await checkAttachments(context, api, change);
  await checkFiles(context, api, change);
  await checkImageSizes(context, api, change.before);
  await checkMappings(context, api, change);
  await checkCpu(context, api, change);
  await checkMachine(context, api, change);
}

/** Sub-keys without which PVE does not take the option, and the attribute that says them. */
const indispensable = [
  ["cpu", "cputype", ["cpu", "type"]],
  ["agent", "enabled", ["agent", "enabled"]],
  ["audio0", "device", ["audio", "device"]],
  ["rng0", "source", ["rng", "source"]],
  ["ivshmem", "size", ["shared_memory", "size"]],
  ["amd-sev", "type", ["amd_sev", "type"]],
  ["intel-tdx", "type", ["intel_tdx", "type"]],
] as const;

function checkCompleteness({ config, report }: VmPlan, { after }: Change): void {
  for (const [option, key, path] of indispensable) {
    const given = (config as Members)[path[0]] as Members | null | undefined;
    if (!given || given[path[1]] === undefined || !after.has(option) || after.read({ option, key }) !== null) continue;
    report.error(
      path,
      "Setting needed",
      `\`${path.join(".")}\` must be given beside the other settings of \`${path[0]}\`.`,
    );
  }
}

function checkBootOrder({ config, report }: VmPlan, { after }: Change): void {
  for (const [index, device] of (config.boot_order ?? []).entries()) {
    if (device !== undefined && !after.has(device)) {
      const present = after.slots(families.bootable);
      report.error(
        ["boot_order", index],
        "Boot device missing",
        `The VM will have no \`${device}\`. It will have ${present.map((slot) => `\`${slot}\``).join(", ") || "none"}.`,
      );
    }
  }
}
