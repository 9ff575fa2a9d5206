import { onlyGrantable } from "../host-privileges.ts";
import type { Need } from "../permissions.ts";
import type { Check } from "./check.ts";
import type { Crud } from "./define-crud.ts";
import { needsOf } from "./derived-needs.ts";
import { distinctNeeds } from "./privileges.ts";

/** Privileges by path. */
export type Grants = Readonly<Record<string, readonly string[]>>;

/**
 * The least that a role needs for every object of a definition, from its creation to its removal. Without privileges that the host
 * does not have, if that is known.
 */
export async function grantsFor(
  { definition, endpoints }: Crud,
  host: ReadonlySet<string> | null = null,
): Promise<Grants> {
  const { permissions } = await import("./gen/permissions.ts");
  const checks = endpoints.map((endpoint) => permissions[endpoint]).filter((check) => check !== undefined);
  const stated = Object.entries(definition.grants ?? {}).flatMap(([path, privileges]) =>
    privileges.map((privilege): Need => ({ privileges: [privilege], paths: [path], attribute: null })),
  );
  const needs = distinctNeeds([...checks.flatMap((check) => simplest(everywhere(check))), ...stated]);
  const byPath = Map.groupBy(onlyGrantable(needs, host), ({ paths }) => paths[0] ?? "/");
  return Object.fromEntries(
    [...byPath].map(([path, all]) => [path, [...new Set(all.flatMap(({ privileges }) => privileges[0] ?? []))].sort()]),
  );
}

/** For every object instead of one: the path above the first place. */
function everywhere(check: Check): Check {
  if (check[0] === "perm") {
    const [kind, path, privileges, mode] = check;
    const above = path.replace(/\/\{.*$/, "") || "/";
    return mode === undefined ? [kind, above, privileges] : [kind, above, privileges, mode];
  }
  return check[0] === "and" || check[0] === "or" ? [check[0], check[1].map(everywhere)] : check;
}

const simplest = (check: Check): readonly Need[] =>
  needsOf(check, {}).reduce((best, needs) => (needs.length < best.length ? needs : best));
