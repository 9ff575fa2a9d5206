import * as z from "zod";
import { parseUpid } from "./upid.ts";

// The scalars of PVE's JSON. Whether a value comes as a number or as a string depends on the host's Perl, so both are
// taken wherever either makes sense; what makes none is refused.

export const text = z.union([z.string(), z.number().transform(String)]);

export const number = z.union([
  z.number(),
  z
    .string()
    .regex(/^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i, "expected a number")
    .transform(Number),
]);

export const integer = number.refine(Number.isSafeInteger, "expected a whole number");

/** 0 and 1 in numbers or letters, the JSON booleans, and the empty string Perl has for false. */
export const flag = z.union([
  z.boolean(),
  z.literal([0, "0", ""]).transform(() => false),
  z.literal([1, "1"]).transform(() => true),
]);

/** The answer of a call that starts a task. */
export const upid = z.string().refine(isUpid, "expected a task id");

/** The answer of a call that returns nothing. */
export const nothing = z.unknown().transform(() => null);

/** `a,b;c d` as a list; PVE prints its lists with any of these (pve-common: src/PVE/Tools.pm, `split_list`). */
export const words = z.string().transform((list) => list.split(/[,;\s\0]+/).filter((item) => item !== ""));

function isUpid(value: string): boolean {
  try {
    parseUpid(value);
    return true;
  } catch {
    return false;
  }
}

/**
 * A guest without a name is listed as `VM 100` or `CT100`, which nobody can have given it: a name has no blank, and a
 * guest is asked for by the name it was given (qemu-server: src/PVE/QemuServer.pm, `vmstatus`).
 */
export function withGivenName<G extends { readonly vmid: number; readonly name?: string | undefined }>(guest: G): G {
  const isMadeUp = guest.name === `VM ${guest.vmid}` || guest.name === `CT${guest.vmid}`;
  return isMadeUp ? { ...guest, name: undefined } : guest;
}
