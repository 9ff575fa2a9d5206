import type { Attribute } from "../schema/attribute.ts";
import { formatPath } from "../schema/path.ts";
import type { KeptValue, Undone } from "./undo.ts";

interface Warning {
  readonly summary: string;
  readonly detail: string;
}

/** A longer list is not read; the other names are counted. */
const MOST = 24;

/** The same for a warning that comes with every plan. */
const BRIEF = 12;

const causes = {
  unknown:
    "The earlier value is not known: the state was imported, moved or written by an older version, a run was killed while it changed the object, the value was the same before, or it is a secret.",
  final: "Once set, this cannot be changed back.",
  needed: "The object requires a value here, and had none before.",
  unmanaged: "Left out, it is not managed.",
  decided: "A related attribute also decides the value, and stays.",
};

/** The warnings about values that stay although their arguments were removed. */
export function keptValueWarnings(
  { kept, unrecorded }: Pick<Undone, "kept" | "unrecorded">,
  { isLost }: { readonly isLost: boolean },
): Warning[] {
  const reasons = (["unknown", "final", "needed", "unmanaged", "decided"] as const).flatMap((reason): Warning[] => {
    const found = kept.filter((one) => one.reason === reason);
    if (found.length === 0) return [];
    const [is, keeps] = found.length === 1 ? ["is", "It keeps its value"] : ["are", "They keep their values"];
    const advice = reason === "unknown" || reason === "unmanaged" ? [howToUnset(found)] : [];
    const text = [`${names(found)} ${is} no longer configured. ${causes[reason]} ${keeps}.`, ...advice].join(" ");
    return [{ summary: "Value stays as it is", detail: text }];
  });
  if (unrecorded.length === 0) return reasons;
  const cause = isLost
    ? "A run was killed while it changed the object, and its record of earlier values was lost"
    : "The state was imported, moved or written by an older version";
  const detail = `Not configured, and kept: ${briefNames(unrecorded)}. ${cause}, so it is not known whether an argument was removed. To unset a value, write \`""\`, \`[]\` or \`0\`. The next apply that changes the object ends this warning, as does \`ignore_changes\`.`;
  return [...reasons, { summary: "Values stay as they are", detail }];
}

const names = (found: readonly KeptValue[]): string => {
  const shown = found.slice(0, MOST).map(({ path }) => `\`${formatPath(path)}\``);
  return shown.join(", ") + (found.length > MOST ? ` and ${found.length - MOST} more` : "");
};

/** The outermost names, on one line: which of their members have values shows in the state. */
function briefNames(found: readonly KeptValue[]): string {
  const outer = [...new Set(found.map(({ path }) => `\`${formatPath(path.slice(0, 1))}\``))];
  const more = outer.length > BRIEF ? ` and ${outer.length - BRIEF} more` : "";
  return outer.slice(0, BRIEF).join(", ") + more;
}

function howToUnset(found: readonly KeptValue[]): string {
  const shown = found.slice(0, MOST).flatMap(({ path, attribute, reason }) => {
    if (attribute.writeOnly) return [];
    const word = reason === "unmanaged" ? ifTaken(attribute, "[]") : unsettingWord(attribute);
    return word === null ? [] : [`\`${formatPath(path)} = ${word}\``];
  });
  const words = shown.length === 0 ? "" : `To unset ${shown.length === 1 ? "it" : "them"}, write ${shown.join(", ")}.`;
  const secrets = found.slice(0, MOST).flatMap(({ path, attribute: { writeOnly, undo } }) => {
    if (typeof writeOnly !== "object" || undo !== undefined) return [];
    const version = formatPath([...path.slice(0, -1), { attribute: writeOnly.trigger }]);
    return [`To remove \`${formatPath(path)}\`, change or take out \`${version}\`.`];
  });
  const isAll = shown.length + secrets.length === Math.min(found.length, MOST);
  return [words, ...secrets, isAll ? "" : "To change a value, write the one you want."]
    .filter((text) => text !== "")
    .join(" ");
}

/** What a user writes for "no value"; null where that cannot be written. */
export function unsettingWord(attribute: Attribute): string | null {
  const { unset, type, undo } = attribute;
  if (unset !== undefined) return unset;
  if (undo !== undefined || !type.nullable) return null;
  if (type.shape.kind === "string") return ifTaken(attribute, '""');
  if (type.shape.kind === "list" || type.shape.kind === "set") return ifTaken(attribute, "[]");
  return null;
}

/** A word that the configuration may not have is no advice. */
const ifTaken = ({ type }: Attribute, word: '""' | "[]"): string | null =>
  type.checks.every((check) => check(JSON.parse(word)) === undefined) ? word : null;
