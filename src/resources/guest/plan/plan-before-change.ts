import { type ConfigDraft, checkPrivileges, enumerate, listSnapshots, type Session } from "#kit";
import type { GuestAddress } from "#pve";
import { type LeavingSlot, plannedWithReleased } from "../changes.ts";
import type { GuestPlan, GuestState } from "../context.ts";
import { outdatedSnapshots } from "../lifecycle/before-change.ts";
import { volumesToGrow, volumesToMove } from "../lifecycle/volumes.ts";
import { guestPrivileges } from "../privileges.ts";
import { ifAllowed } from "./checks/facts.ts";
import { onGuest } from "./needs/need.ts";

interface Change {
  readonly guest: GuestAddress;
  readonly prior: GuestState;
  readonly before: ConfigDraft;
  readonly after: ConfigDraft;
  readonly leaving: readonly LeavingSlot[];
}

const path = ["before_change", "snapshot"];

/** Announces the snapshot that is taken before the change, and refuses it where none can be taken. */
export async function planBeforeChange(context: GuestPlan, api: Session, change: Change): Promise<void> {
  const { kind, config, report, planned, privateState } = context;
  delete privateState.isSnapshotDue;
  const isReplaced = config.vmid && config.vmid !== change.prior.vmid;
  if (!planned.before_change?.snapshot || privateState.mark !== null || isReplaced) return;
  privateState.isSnapshotDue = isTouched(context, change);
  if (!privateState.isSnapshotDue) return;
  const { guest, prior } = change;
  const needs = [onGuest(prior, guestPrivileges.snapshot, path)];
  if (!(await checkPrivileges({ report, api, needs }))) return;
  if (prior.template || planned.template) return refuseTemplate(context, guest, prior);
  if ((await ifAllowed(kind.calls(api).hasFeature(guest, { feature: "snapshot" })))?.hasFeature === false) {
    report.error(
      path,
      "Snapshots are not possible",
      `\`before_change\` wants a snapshot of ${kind.noun} ${guest.vmid}, and one of its volumes is on a storage that has none, such as a raw file on a directory or plain LVM. Move it to a storage such as ZFS, Ceph or LVM-thin${kind.type === "qemu" ? ", or to a qcow2 file," : ""} in an apply without \`before_change\`, or leave \`before_change\` out.`,
    );
    return;
  }
  const keep = planned.before_change.keep ?? 3;
  const present = await ifAllowed(listSnapshots(api, { ...guest, type: kind.type }, context.signal));
  const outdated = outdatedSnapshots(present?.map(({ name }) => name) ?? [], keep, 1);
  const removal =
    outdated.length === 0
      ? "none is removed"
      : `${enumerate(outdated)} ${outdated.length === 1 ? "is" : "are"} removed after the change`;
  const kept = keep === 1 ? "The newest of these snapshots is" : `The newest ${keep} of these snapshots are`;
  report.warning(
    path,
    "A snapshot will be taken",
    `${kind.title} ${guest.vmid} gets a snapshot \`tf-before-DATE-TIME\` before it is changed. ${kept} kept: ${removal}.`,
  );
}

/** Whether the change touches the guest at the server. */
function isTouched(context: GuestPlan, { prior, before, after, leaving }: Change): boolean {
  const { kind, planned, changes } = context;
  const { set, delete: removed } = after.patch;
  const isConfigured = Object.keys(set).length + removed.length + leaving.length > 0;
  const wanted = plannedWithReleased(context);
  const isArranged = [volumesToMove, volumesToGrow].some((find) => find(kind, wanted, before).length > 0);
  const isMigrated = planned.node !== undefined && planned.node !== prior.node;
  // Text for cloud-init is not in the configuration before it is uploaded.
  return (
    changes.has("cloud_init") ||
    isConfigured ||
    isArranged ||
    isMigrated ||
    (planned.template === true && !prior.template)
  );
}

function refuseTemplate({ kind, report }: GuestPlan, { vmid }: GuestAddress, { template }: GuestState): void {
  const why = template
    ? `${kind.title} ${vmid} is a template, of which no snapshot can be taken.`
    : `A ${kind.noun} with a snapshot cannot become a template.`;
  report.error(path, "Snapshots are not possible", `${why} Remove \`before_change\`.`);
}
