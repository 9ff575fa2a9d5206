import type { Need } from "../permissions.ts";
import type { Check } from "./check.ts";

/** Values for the places of a path; those that are not known yet are left out. */
type Places = Readonly<Record<string, string>>;

/**
 * What an endpoint's own description demands, as alternatives of which one must be met in full. A path whose object is not
 * known yet demands nothing.
 */
export function needsOf(check: Check, places: Places): readonly (readonly Need[])[] {
  switch (check[0]) {
    case "perm": {
      const [, template, privileges, mode] = check;
      const path = fill(template, places);
      if (path === null) return [[]];
      const need = (names: readonly string[]): Need => ({ privileges: names, paths: [path], attribute: null });
      return [mode === "any" ? [need(privileges)] : privileges.map((name) => need([name]))];
    }
    case "and":
      return check[1].reduce<readonly (readonly Need[])[]>(
        (all, part) => all.flatMap((needs) => needsOf(part, places).map((more) => [...needs, ...more])),
        [[]],
      );
    case "or":
      return merged(check[1].flatMap((part) => needsOf(part, places)));
    default:
      return [[]];
  }
}

/** Alternatives of one privilege each on the same path are one need, for any of them. */
function merged(alternatives: readonly (readonly Need[])[]): readonly (readonly Need[])[] {
  const path = alternatives[0]?.[0]?.paths[0];
  const areAlike = alternatives.every(([need, ...more]) => more.length === 0 && need?.paths[0] === path);
  if (!areAlike || path === undefined) return alternatives;
  const privileges = [...new Set(alternatives.flatMap(([need]) => need?.privileges ?? []))];
  return [[{ privileges, paths: [path], attribute: null }]];
}

function fill(template: string, places: Places): string | null {
  const isKnown = [...template.matchAll(/\{([^}]+)\}/g)].every(([, place = ""]) => Object.hasOwn(places, place));
  return isKnown ? template.replace(/\{([^}]+)\}/g, (_, place: string) => places[place] ?? "") : null;
}
