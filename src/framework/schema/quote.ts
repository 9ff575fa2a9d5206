import { Decimal } from "../values/decimal.ts";
import { shortNumber } from "../values/number.ts";
import { Dynamic, isList, isMap, isNull, isUnknown, type Value } from "../values/value.ts";

/** Longer values hide the sentence around them. */
const longest = 80;

/** A private key: always a secret, and easily mistaken for the public half. */
const privateKey = /-----BEGIN [A-Z0-9 ]*PRIVATE KEY|PuTTY-User-Key-File/;

/** A value as a user would write it in a configuration; undefined if it is too long to read, or a secret. */
export function quote(value: Value): string | undefined {
  const text = literal(value);
  if (privateKey.test(text)) return undefined;
  if (text.length <= longest) return text;
  if (value instanceof Decimal || typeof value === "bigint") return shortNumber(value);
  return typeof value === "string" ? `${JSON.stringify(value.slice(0, longest - 20)).slice(0, -1)}…"` : undefined;
}

function literal(value: Value): string {
  if (isNull(value)) return "null";
  if (isUnknown(value)) return "(known after apply)";
  if (value instanceof Dynamic) return literal(value.value);
  if (isList(value)) return `[${value.map(literal).join(", ")}]`;
  if (isMap(value)) {
    const members = [...value].filter(([, member]) => !isNull(member));
    return members.length === 0
      ? "{}"
      : `{ ${members.map(([name, member]) => `${name} = ${literal(member)}`).join(", ")} }`;
  }
  return value instanceof Decimal || typeof value === "bigint" ? String(value) : JSON.stringify(value);
}
