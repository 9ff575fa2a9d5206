import { permissionsOf, type Report, type Session } from "#kit";
import type { InventoryGuest } from "#pve";

/** PVE hides without a word what the caller may not see: an empty list is most often a token without rights. */
export async function warnOfBlindness(
  report: Pick<Report, "warning">,
  api: Session,
  vms: readonly InventoryGuest[],
): Promise<void> {
  if (vms.length > 0) return;
  const maySeeSome = Object.values(await permissionsOf(api)).some((granted) => "VM.Audit" in granted);
  if (maySeeSome) return;
  report.warning(null, "No VM can be seen", `Grant VM.Audit on \`/vms\`, or on some VMs or pools, to ${api.identity}.`);
}
