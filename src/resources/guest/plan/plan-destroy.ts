import { attachmentsOf, checkPrivileges, enumerate, type Report } from "#kit";
import type { GuestPlanDelete, GuestState } from "../context.ts";
import { setIntent } from "../intents.ts";
import type { GuestKind } from "../kind.ts";
import { isForeign } from "../volume.ts";
import { destroyNeeds } from "./needs/guest-needs.ts";

/** Reports what would stop the destruction before anything is changed. */
export async function planDestroy(context: GuestPlanDelete): Promise<void> {
  const { kind, api, state, privateState, isReplaced, report } = context;
  if (!isReplaced) delete privateState.hasHaSuccessor;
  if (api && state.vmid !== undefined) {
    setIntent(api, state.vmid, { isKept: false, name: null });
    attachmentsOf(api).release(state.vmid, null);
  }
  if (state.protection) {
    report.error(
      "protection",
      `${kind.title} is protected`,
      `${kind.title} ${state.vmid} has \`protection = true\`. Set it to false and apply that first.`,
    );
  }
  warnOfUnused(kind, state, report);
  if (api) await checkPrivileges({ report, api, needs: destroyNeeds(context) });
}

/** Volumes that were detached and kept go with the guest, which its disks alone do not say. */
export function warnOfUnused(
  kind: Pick<GuestKind, "noun" | "title">,
  { vmid, unused_disks: unused }: GuestState,
  report: Pick<Report, "warning">,
): void {
  const own = Object.values(unused ?? {}).flatMap((volume) => (volume && !isForeign(volume, vmid) ? [volume] : []));
  if (own.length === 0) return;
  report.warning(
    "unused_disks",
    "Detached disks are destroyed, too",
    `${kind.title} ${vmid} is destroyed with all its volumes, and with those that were detached and kept: ${enumerate(own)}. To keep one, attach it to another ${kind.noun} first (Reassign Owner in the web interface).`,
  );
}
