import { die } from "../core/kernel/failure.ts";
import type { Process } from "../core/kernel/process.ts";
import { describeVolume, findVolume } from "./volumes.ts";

/** `check_hookscript` of pve-guest-common `src/PVE/GuestHelpers.pm`; every existing snippet is executable here. */
export function checkHookScript({ sim, node }: Process, volid: string): void {
  if (describeVolume(sim.world, volid).content !== "snippets") {
    die(`'${volid}' is not in the snippets directory`);
  }
  if (findVolume(sim.world, volid, node) === undefined) {
    die(`script '${volid}' does not exist`);
  }
}
