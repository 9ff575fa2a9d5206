import type { Attribute } from "./attribute.ts";
import type { Allowed, Type } from "./type.ts";

/**
 * The documentation of an attribute: the author's text, then the facts of the definition that the text does not
 * mention. Editors show it, and the documentation pages contain it.
 */
export function document({ doc, type, replace, unset }: Attribute): string {
  const { allowed, isMany } = allowedBy(type);
  return [
    doc,
    ...(allowed ? [describeWords(allowed, isMany, doc), describeBounds(allowed, doc)] : []),
    ...(typeof unset === "string" && !doc.includes(`\`${unset}\``) ? [`\`${unset}\` unsets it.`] : []),
    ...(replace === true ? ["Changing it means a new object."] : []),
  ]
    .filter((sentence) => sentence !== "")
    .join(" ");
}

/** For a collection, the allowed values of its elements. */
function allowedBy(type: Type): { allowed?: Allowed | undefined; isMany: boolean } {
  const { shape, allowed } = type;
  const isMany = shape.kind === "list" || shape.kind === "set" || shape.kind === "map";
  return { allowed: isMany ? allowedBy(shape.element).allowed : allowed, isMany };
}

function describeWords({ words = [] }: Allowed, isMany: boolean, doc: string): string {
  const isSaid = words.every((word) => doc.includes(`\`${word}\``));
  return isSaid ? "" : `${isMany ? "Any" : "One"} of ${words.map((word) => `\`${word}\``).join(", ")}.`;
}

function describeBounds({ min, max }: Allowed, doc: string): string {
  const isSaid = [min, max].every((bound) => bound === undefined || new RegExp(`\\b${bound}\\b`).test(doc));
  if (isSaid) return "";
  if (min === undefined) return `At most ${max}.`;
  return max === undefined ? `At least ${min}.` : `From ${min} to ${max}.`;
}
