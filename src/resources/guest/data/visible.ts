import { permissionsOf, type Report, type Session } from "#kit";
import type { InventoryGuest } from "#pve";
import type { GuestBase } from "../base.ts";

/** PVE hides guests that the caller may not see: most often, an empty list means that privileges are missing. */
export async function warnOfBlindness(
  kind: Pick<GuestBase, "noun">,
  report: Pick<Report, "warning">,
  api: Session,
  guests: readonly InventoryGuest[],
): Promise<void> {
  if (guests.length > 0) return;
  const maySeeSome = Object.values(await permissionsOf(api)).some((granted) => "VM.Audit" in granted);
  if (maySeeSome) return;
  const detail = `Grant VM.Audit on \`/vms\`, or on some ${kind.noun}s or pools, to ${api.identity}.`;
  report.warning(null, `No ${kind.noun} can be seen`, detail);
}
