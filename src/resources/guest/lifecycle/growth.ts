import { bytesOf } from "#kit";
import type { GuestPlan, GuestRead, GuestState } from "../context.ts";

const isSmaller = (one: string | null | undefined, other: string | null | undefined): boolean =>
  (bytesOf(one ?? "") ?? Number.NaN) < (bytesOf(other ?? "") ?? Number.NaN);

/** Records volumes that have grown since the state was written, with their former size: the plan must not shrink them. */
export function noteGrowth({ kind, state, purpose, privateState }: GuestRead, observed: object): void {
  if (purpose !== "refresh") return;
  const now = new Map(kind.volumesIn(observed).map(({ slot, volume }) => [slot, volume?.size]));
  for (const { slot, volume } of kind.volumesIn(state ?? {})) {
    if (volume?.size && isSmaller(volume.size, now.get(slot))) privateState.grown[slot] ??= volume.size;
  }
}

/**
 * A volume that was grown outside of Terraform is larger than configured. The configuration is out of date, so the volume
 * is kept as it is and the plan says what to write.
 */
export function acceptGrowth(context: GuestPlan, prior: GuestState): void {
  const { kind, config, privateState, report } = context;
  const sizes = new Map(kind.volumesIn(prior).map(({ slot, volume }) => [slot, volume?.size]));
  for (const { slot, path, volume } of kind.volumesIn(config)) {
    const [written, now, before] = [volume?.size, sizes.get(slot), privateState.grown[slot]];
    if (!written || !before || !isSmaller(written, now) || isSmaller(written, before)) continue;
    context.keep([...path, "size"]);
    report.warning(
      [...path, "size"],
      "Disk has grown",
      `\`${slot}\` of ${kind.noun} ${prior.vmid} is ${now}: it was grown outside of Terraform, and a disk cannot shrink. It stays as it is. Write \`size = "${now}"\`.`,
    );
  }
}
