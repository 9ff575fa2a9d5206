import { typeJson } from "./type.ts";
import { Decimal, Dynamic, isObject, isUnknown, type Value } from "./value.ts";

/** A value as it stands in a state file. Numbers keep every digit, which `JSON.stringify` would not allow. */
export function toJson(value: Value): string {
  if (isUnknown(value)) throw new Error("a state cannot hold an unknown value");
  if (value instanceof Decimal) return value.text;
  if (value instanceof Dynamic)
    return `{"type":${JSON.stringify(typeJson(value.type))},"value":${toJson(value.value)}}`;
  if (Array.isArray(value)) return `[${value.map(toJson).join(",")}]`;
  if (isObject(value)) {
    const members = Object.keys(value).map((name) => `${JSON.stringify(name)}:${toJson(value[name] as Value)}`);
    return `{${members.join(",")}}`;
  }
  return JSON.stringify(value);
}
