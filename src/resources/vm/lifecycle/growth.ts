import { bytesOf, type Observed } from "#kit";
import type { VmAttributes } from "../attributes.ts";
import type { VmPlan, VmRead, VmState } from "../contexts.ts";

const isSmaller = (one: string | null | undefined, other: string | null | undefined): boolean =>
  (bytesOf(one ?? "") ?? Number.NaN) < (bytesOf(other ?? "") ?? Number.NaN);

/** Notes the disks that have grown since the state was written, with the size they had: nobody asks to shrink them. */
export function noteGrowth({ state, purpose, privateState }: VmRead, disks: Observed<VmAttributes>["disks"]): void {
  if (purpose !== "refresh") return;
  for (const [slot, { size }] of Object.entries(state?.disks ?? {})) {
    if (size && isSmaller(size, disks?.[slot]?.size)) privateState.grown[slot] ??= size;
  }
}

/**
 * A disk that was grown outside of Terraform is larger than its line says. That line is out of date rather than a wish, so
 * the disk stays as it is and the plan says what to write.
 */
export function acceptGrowth(context: VmPlan, prior: VmState): void {
  const { config, privateState, report } = context;
  for (const [slot, disk] of Object.entries(config.disks ?? {})) {
    const [written, now, before] = [disk?.size, prior.disks?.[slot]?.size, privateState.grown[slot]];
    if (!written || !before || !isSmaller(written, now) || isSmaller(written, before)) continue;
    context.keep(["disks", slot, "size"]);
    report.warning(
      ["disks", slot, "size"],
      "Disk has grown",
      `\`${slot}\` of VM ${prior.vmid} is ${now}: it was grown outside of Terraform, and a disk cannot shrink. It stays as it is. Write \`size = "${now}"\`.`,
    );
  }
}
