import type { ConfigDraft } from "#kit";
import { dataDrive, ownDrive } from "./blocks/cloud-init-drive.ts";
import { fileOf } from "./blocks/drive-slots.ts";
import type { VmPlan } from "./contexts.ts";
import { cloudInitOption } from "./live-changes.ts";

const dataImage = (draft: ConfigDraft): string | null => {
  const slot = dataDrive(draft);
  return slot === null ? null : fileOf(draft, slot);
};

/**
 * Options of a change that PVE stores at once and the guest reads from its cloud-init drive when it boots. PVE has no
 * word for that: nothing of it is pending there.
 */
export function unreadOptions({ prior, planned }: VmPlan, after: ConfigDraft): string[] {
  const isOtherText = planned.cloud_init?.data_volume !== prior?.cloud_init?.data_volume;
  const isOtherPassword = planned.cloud_init?.password_version !== prior?.cloud_init?.password_version;
  const { set, delete: removed } = after.patch;
  const slot = dataDrive(after);
  if (slot !== null) return isOtherText ? [slot] : [];
  return writtenFrom([...Object.keys(set), ...removed, ...(isOtherPassword ? ["cipassword"] : [])], after);
}

/** The same of a change that was made: what was sent, and the VM before and after it. */
export const unreadAfter = (sent: readonly string[], before: ConfigDraft, after: ConfigDraft): string[] => {
  const slot = dataDrive(after);
  if (slot !== null) return dataImage(after) === dataImage(before) ? [] : [slot];
  return writtenFrom(sent, after);
};

const writtenFrom = (options: readonly string[], after: ConfigDraft): string[] =>
  ownDrive(after) === null ? [] : options.filter((option) => cloudInitOption.test(option));
