import * as z from "zod";
import { parseUpid } from "./upid.ts";

// The scalars of PVE's JSON. Whether a value is a number or a string depends on the host's Perl, so both are accepted
// wherever they make sense.

export const text = z.union([z.string(), z.number().transform(String)]);

export const number = z.union([
  z.number(),
  z
    .string()
    .regex(/^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i, "expected a number")
    .transform(Number),
]);

export const integer = number.refine(Number.isSafeInteger, "expected a whole number");

/** 0 and 1 as numbers or text, the JSON booleans, and the empty string, which is Perl's false. */
export const flag = z.union([
  z.boolean(),
  z.literal([0, "0", ""]).transform(() => false),
  z.literal([1, "1"]).transform(() => true),
]);

/**
 * An object of the API, with at least these members. Its schema is built when the first one arrives: most runs see few of
 * the API's objects.
 */
export const apiObject = <S extends z.ZodRawShape>(members: () => S) => z.lazy(() => z.looseObject(members()));

/**
 * A list of objects that differ in their `type`. Those of types that later releases add are left out: this client can neither
 * read nor change them.
 */
export const listOfTypes = <const T extends string, S extends z.ZodType>(types: readonly T[], object: S) =>
  z
    .array(z.unknown())
    .transform((list) => list.filter((one) => isOfType(one, types)))
    .pipe(z.array(object));

const isOfType = (value: unknown, types: readonly string[]): boolean => {
  const type = typeof value === "object" && value !== null && "type" in value ? value.type : undefined;
  return typeof type !== "string" || types.includes(type);
};

/** The response of a call that starts a task. */
export const upid = z.string().refine(isUpid, "expected a task id");

/** The response of a call that returns nothing. */
export const nothing = z.unknown().transform(() => null);

/** The response of a call that changes the configuration: the task that makes the change, if it does not happen at once. */
export const taskOrNothing = z
  .unknown()
  .transform((value) => (typeof value === "string" && isUpid(value) ? value : null));

/** `a,b;c d` as a list; PVE separates its lists with any of these (pve-common: src/PVE/Tools.pm, `split_list`). */
export const words = z.string().transform((list) => list.split(/[,;\s\0]+/).filter((item) => item !== ""));

/** Such a list in the order of a Perl hash, sorted: messages and choices must not depend on that order. */
export const unorderedWords = words.transform((list) => list.toSorted());

/** A list in the order of a Perl hash, sorted by these members. */
export const unordered = <S extends z.ZodType<object>>(element: S, ...members: string[]) =>
  z.array(element).transform(sortedBy(...members));

/** The same for a list that is read otherwise. */
export const sortedBy =
  (...members: string[]) =>
  <T extends object>(list: readonly T[]): T[] =>
    list.toSorted((a, b) => compare(a, b, members));

function compare(a: object, b: object, members: readonly string[]): number {
  for (const name of members) {
    const [left, right] = [Reflect.get(a, name), Reflect.get(b, name)];
    if (left === right) continue;
    if (typeof left === "number" && typeof right === "number") return left - right;
    return String(left ?? "") < String(right ?? "") ? -1 : 1;
  }
  return 0;
}

function isUpid(value: string): boolean {
  try {
    parseUpid(value);
    return true;
  } catch {
    return false;
  }
}

/**
 * PVE lists a guest without a name as `VM 100` or `CT100`. No user can have set that, since a name has no blank, and
 * lookups use the name that was set (qemu-server: src/PVE/QemuServer.pm, `vmstatus`).
 */
export function withGivenName<G extends { readonly vmid: number; readonly name?: string | undefined }>(guest: G): G {
  const isMadeUp = guest.name === `VM ${guest.vmid}` || guest.name === `CT${guest.vmid}`;
  return isMadeUp ? { ...guest, name: undefined } : guest;
}
