import type { LiveChange } from "../guest/kind.ts";
import { isCardSlot, isMountSlot } from "./slots.ts";

/** PVE only writes these down (`$LXC_FASTPLUG_OPTIONS`), so that no value of them ever waits for a restart. */
const noted = /^(description|onboot|startup|protection|hostname|hookscript|cores|tags|lock)$/;

/** Limits of the control group, which PVE applies to a running container at once, unless the host refuses them. */
const limits = /^(cpulimit|cpuunits|memory|swap)$/;

/** Whether a changed value may wait for a restart. */
export const mayWait = (option: string): boolean => !noted.test(option);

/**
 * Whether a running container applies a changed option at once; otherwise the change is pending.
 * Server side: pve-container `src/PVE/LXC/Config.pm`, `vmconfig_hotplug_pending`.
 */
export function takesEffectLive(option: string, { running, after }: LiveChange): boolean {
  if (noted.test(option) || limits.test(option)) return true;
  // A card with a number of two digits is removed by the restart only.
  if (isCardSlot(option)) return after.has(option) || /^net\d$/.test(option);
  const isNew = !running.has(option);
  if (option === "rootfs") return false;
  return isNew && after.has(option) && (isMountSlot(option) || /^dev\d+$/.test(option));
}
