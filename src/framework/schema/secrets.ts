import { isList, isMap, type Value } from "../values/value.ts";
import { partsOf } from "./parts.ts";
import type { Type } from "./type.ts";

/** Shorter ones would be found in every other word; nobody can keep them secret anyway. */
export const shortestSecret = 4;

/** Every string below an attribute that is sensitive or write-only. */
export function secretsIn(type: Type, value: Value): string[] {
  return partsOf(type, value).flatMap((part) =>
    part.attribute?.sensitive || part.attribute?.writeOnly ? stringsIn(part.value) : secretsIn(part.type, part.value),
  );
}

function stringsIn(value: Value): string[] {
  if (typeof value === "string") return value.length >= shortestSecret ? [value] : [];
  if (isList(value)) return value.flatMap(stringsIn);
  return isMap(value) ? [...value.values()].flatMap(stringsIn) : [];
}

/** Takes secrets out of a text, longest first, so that one inside another leaves nothing behind. */
export function withoutSecrets(text: string, secrets: Iterable<string>): string {
  const longestFirst = [...secrets].filter((secret) => text.includes(secret)).sort((a, b) => b.length - a.length);
  return longestFirst.reduce((clean, secret) => clean.replaceAll(secret, "(sensitive value)"), text);
}
