import { oncePerRun } from "./once-per-run.ts";

/** Every role there is, built-in ones included. */
export const rolesOf = oncePerRun((api) => api.access.roles.list());

/** A role of the host, as far as it matters here. */
interface Role {
  readonly id: string;
  readonly privileges: readonly string[];
}

/** The privileges that a host has, by its roles; null where they do not show it: only `Administrator` has every one. */
export function privilegesOfHost(roles: readonly Role[]): ReadonlySet<string> | null {
  const isWhole = roles.some(({ id, privileges }) => id === "Administrator" && privileges.length > 0);
  return isWhole ? new Set(roles.flatMap(({ privileges }) => privileges)) : null;
}

/** Without privileges that the host does not have: releases add and remove them, and unknown ones cannot be granted. */
export function onlyGrantable<T extends { readonly privileges: readonly string[] }>(
  needs: readonly T[],
  host: ReadonlySet<string> | null,
): T[] {
  if (host === null) return [...needs];
  return needs.flatMap((need) => {
    const privileges = need.privileges.filter((one) => host.has(one));
    return privileges.length === 0 ? [] : [{ ...need, privileges }];
  });
}
