import type { LiveChange } from "../guest/kind.ts";
import { isCardSlot, isMountSlot } from "./slots.ts";

/** PVE applies these to a running container at once (`$fast_plug_option`, and the limits of its control group). */
const immediate =
  /^(description|onboot|startup|protection|hostname|hookscript|cores|tags|lock|cpulimit|cpuunits|memory|swap)$/;

/**
 * Whether a running container applies a changed option at once; otherwise the change is pending.
 * Server side: pve-container `src/PVE/LXC/Config.pm`, `vmconfig_hotplug_pending`.
 */
export function takesEffectLive(option: string, { running, after }: LiveChange): boolean {
  if (immediate.test(option)) return true;
  // A card with a number of two digits is removed by the restart only.
  if (isCardSlot(option)) return after.has(option) || /^net\d$/.test(option);
  const isNew = !running.has(option);
  if (option === "rootfs") return false;
  return isNew && after.has(option) && (isMountSlot(option) || /^dev\d+$/.test(option));
}
