import type { ConfigDraft } from "#kit";
import { dataDrive, ownDrive } from "../../blocks/cloud-init-drive.ts";
import { isCdrom } from "../../blocks/drive-slots.ts";
import type { VmPlan } from "../../contexts.ts";

/** Refuses a drive in a slot that holds one of another kind, which nothing in the configuration takes out. */
export function checkSlots(context: VmPlan, before: ConfigDraft, leaving: readonly string[]): void {
  const { config, report } = context;
  const holds = (slot: string) => before.has(slot) && !leaving.includes(slot);
  const cloudInit = ownDrive(before) ?? dataDrive(before);
  const refuse = (path: string[], slot: string, holder: string) =>
    report.error(path, "Slot used twice", `\`${slot}\` of the VM holds ${holder}. Choose another slot.`);
  for (const slot of Object.keys(config.disks ?? {}).filter(holds)) {
    if (slot === cloudInit) refuse(["disks", slot], slot, "its cloud-init drive");
    else if (isCdrom(before, slot)) refuse(["disks", slot], slot, "a CD drive");
  }
  for (const slot of Object.keys(config.cdroms ?? {}).filter(holds)) {
    if (!isCdrom(before, slot)) refuse(["cdroms", slot], slot, "a disk");
    else if (slot === cloudInit && keepsCloudInit(config, slot)) {
      refuse(["cdroms", slot], slot, "its cloud-init drive, which `cloud_init.slot` can put elsewhere");
    }
  }
  checkReturn(context);
  const wanted = config.cloud_init?.slot;
  const isForeign = wanted && holds(wanted) && wanted !== cloudInit;
  if (isForeign) refuse(["cloud_init", "slot"], wanted, isCdrom(before, wanted) ? "a CD drive" : "a disk");
}

/** Without its line the cloud-init drive goes back to the slot it had, where another drive may be written by now. */
function checkReturn({ config, planned, prior, report }: VmPlan): void {
  const { cloud_init: written } = config;
  const isUndone = written === null && planned.cloud_init?.slot !== prior?.cloud_init?.slot;
  const slot = isUndone || written?.slot === null ? planned.cloud_init?.slot : null;
  if (!slot || !(slot in (config.cdroms ?? {}) || slot in (config.disks ?? {}))) return;
  report.error(
    ["cloud_init", "slot"],
    "Slot used twice",
    `Without \`cloud_init.slot\` the cloud-init drive goes back to \`${slot}\`, where the configuration puts another drive. Write \`cloud_init.slot\`, or choose another slot for that drive.`,
  );
}

/** Whether the configuration wants cloud-init's drive, and in this slot. */
const keepsCloudInit = ({ cloud_init: wanted }: VmPlan["config"], slot: string): boolean =>
  wanted !== null && (wanted?.slot ?? slot) === slot;
