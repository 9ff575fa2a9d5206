import { bool } from "#kit";

/** An argument of the actions on the whole SDN. */
export const breakLock = {
  type: bool(),
  mode: "optional",
  doc: "Whether to release the lock of the SDN first, which a client that was stopped may have left behind. Left out: `false`.",
} as const;
