import type { Attribute } from "../schema/attribute.ts";
import { formatPath } from "../schema/path.ts";
import type { KeptValue, Undone } from "./undo.ts";

interface Warning {
  readonly summary: string;
  readonly detail: string;
}

/** A longer list is not read; the other names are counted. */
const MOST = 24;

const causes = {
  unknown:
    "The earlier value is not known: the state was imported, moved or written by an older version, the value was the same before, or it is a secret.",
  final: "Once set, this cannot be changed back.",
  needed: "The object requires a value here, and had none before.",
  unmanaged: "Left out, it is not managed.",
  decided: "A related attribute also decides the value, and stays.",
};

/** The warnings about values that stay although their arguments were removed. */
export function keptValueWarnings({ kept, unrecorded }: Pick<Undone, "kept" | "unrecorded">): Warning[] {
  const reasons = (["unknown", "final", "needed", "unmanaged", "decided"] as const).flatMap((reason): Warning[] => {
    const found = kept.filter((one) => one.reason === reason);
    if (found.length === 0) return [];
    const [is, keeps] = found.length === 1 ? ["is", "It keeps its value"] : ["are", "They keep their values"];
    const advice = reason === "unknown" || reason === "unmanaged" ? [howToUnset(found)] : [];
    const text = [`${names(found)} ${is} no longer configured. ${causes[reason]} ${keeps}.`, ...advice].join(" ");
    return [{ summary: "Value stays as it is", detail: text }];
  });
  if (unrecorded.length === 0) return reasons;
  const detail = [
    `The state was imported, moved or written by an older version, so it does not say which values were configured. These are not configured now, and keep their values: ${names(unrecorded)}.`,
    howToUnset(unrecorded),
    "Name values that you do not want to manage in `ignore_changes`. This warning ends with the next apply that changes the object.",
  ].join(" ");
  return [...reasons, { summary: "Values stay as they are", detail }];
}

const names = (found: readonly KeptValue[]): string => {
  const shown = found.slice(0, MOST).map(({ path }) => `\`${formatPath(path)}\``);
  return shown.join(", ") + (found.length > MOST ? ` and ${found.length - MOST} more` : "");
};

function howToUnset(found: readonly KeptValue[]): string {
  const shown = found.slice(0, MOST).flatMap(({ path, attribute, reason }) => {
    const word = reason === "unmanaged" ? "[]" : unsettingWord(attribute);
    return word === null ? [] : [`\`${formatPath(path)} = ${word}\``];
  });
  const words = shown.length === 0 ? "" : `To unset ${shown.length === 1 ? "it" : "them"}, write ${shown.join(", ")}.`;
  const isAll = shown.length === Math.min(found.length, MOST);
  return [words, isAll ? "" : "To change a value, write the one you want."].filter((text) => text !== "").join(" ");
}

/** What a user writes for "no value"; null where that cannot be written. */
export function unsettingWord({ unset, type: { shape, nullable }, undo }: Attribute): string | null {
  if (unset !== undefined) return unset;
  if (undo !== undefined || !nullable) return null;
  if (shape.kind === "string") return '""';
  if (shape.kind === "list" || shape.kind === "set") return "[]";
  return null;
}
