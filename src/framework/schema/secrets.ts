import { isList, isMap, type Value } from "../values/value.ts";
import type { Attribute } from "./attribute.ts";
import { partsOf } from "./parts.ts";
import type { Type } from "./type.ts";

/** Shorter values would match inside ordinary words, and are no real secrets. */
export const shortestSecret = 4;

/** Every string below an attribute that is sensitive or write-only. */
export function secretsIn(type: Type, value: Value): string[] {
  if (value === null || !mayHoldSecrets(type)) return [];
  return partsOf(type, value).flatMap((part) =>
    part.attribute && isSecret(part.attribute) ? stringsIn(part.value) : secretsIn(part.type, part.value),
  );
}

export const isSecret = ({ sensitive, writeOnly }: Attribute): boolean => Boolean(sensitive || writeOnly);

const known = new WeakMap<Type, boolean>();

/** Computed once per type: every call searches values, and most types contain no secrets. */
function mayHoldSecrets(type: Type): boolean {
  const held = known.get(type) ?? findSecrets(type);
  known.set(type, held);
  return held;
}

function findSecrets({ shape }: Type): boolean {
  switch (shape.kind) {
    case "list":
    case "set":
    case "map":
      return mayHoldSecrets(shape.element);
    case "tuple":
      return shape.elements.some(mayHoldSecrets);
    case "object":
      return Object.values(shape.members).some(mayHoldSecrets);
    case "nested":
      return Object.values(shape.attributes).some((attribute) => isSecret(attribute) || mayHoldSecrets(attribute.type));
    case "string":
    case "bool":
    case "number":
    case "dynamic":
      return false;
  }
}

function stringsIn(value: Value): string[] {
  if (typeof value === "string") return value.length >= shortestSecret ? [value] : [];
  if (isList(value)) return value.flatMap(stringsIn);
  return isMap(value) ? [...value.values()].flatMap(stringsIn) : [];
}

/**
 * Removes secrets from a text, the longest first, so that one inside another leaves nothing behind. The names of types
 * are public: a password that is the provider's own name does not show in them.
 */
export function withoutSecrets(text: string, secrets: Iterable<string>, provider: string): string {
  const longestFirst = [...secrets].filter((secret) => text.includes(secret)).sort((a, b) => b.length - a.length);
  return longestFirst.reduce(
    (clean, secret) =>
      clean.replaceAll(secret, (found, at: number) =>
        clean.startsWith(`${provider}_`, at) ? found : "(sensitive value)",
      ),
    text,
  );
}
