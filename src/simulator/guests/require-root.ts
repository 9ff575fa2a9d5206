import type { Caller } from "../core/access/caller.ts";
import { paramError } from "../core/kernel/failure.ts";

/** `skiplock` and similar options. */
export function requireRootFor(caller: Caller, option: string, value: unknown): void {
  if (value && !caller.isRoot) {
    paramError({ [option]: "Only root may use this option." });
  }
}
