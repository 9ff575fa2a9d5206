import { jsonLine } from "../json-line.ts";
import type { Difference } from "./compare.ts";

/** Line feeds, and what a terminal would take for an order. */
const isPlain = (text: string): boolean => !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text);

const shown = (value: unknown): string => {
  if (value === null) return "(none)";
  return typeof value === "string" && isPlain(value) ? value : quoted(value);
};

const quoted = (value: unknown): string =>
  JSON.stringify(value).replaceAll(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

const linesOf = ({ object, kind, members }: Difference): string[] => [
  `${kind}: ${object}`,
  ...members.map(({ member, before, after }) => `  ${member}: ${shown(before)} -> ${shown(after)}`),
];

const countOf = ({ length }: readonly string[]): string =>
  length === 1 ? "1 object was compared" : `${length} objects were compared`;

const text = (differences: readonly Difference[], objects: readonly string[]): string =>
  differences.length === 0
    ? `No drift. ${countOf(objects)}.\n`
    : `${differences.flatMap((one) => linesOf(one)).join("\n")}\n${differences.length === 1 ? "1 object differs" : `${differences.length} objects differ`}; ${countOf(objects)}.\n`;

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Control characters have no place in XML at all. */
const escaped = (value: string): string =>
  value
    .replaceAll(/[&<>"]/g, (char) => escapes[char] ?? char)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what has to go
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, "\ufffd");

/** One test case for each object that was compared: it fails if the object differs. */
function junit(differences: readonly Difference[], objects: readonly string[]): string {
  const byObject = new Map(differences.map((one) => [one.object, one]));
  const cases = objects.map((object) => {
    const difference = byObject.get(object);
    const name = `    <testcase classname="proxmox.drift" name="${escaped(object)}"`;
    if (difference === undefined) return `${name}/>`;
    const detail = escaped(linesOf(difference).join("\n"));
    return `${name}>\n      <failure message="${escaped(difference.kind)}">${detail}</failure>\n    </testcase>`;
  });
  const counts = `tests="${objects.length}" failures="${differences.length}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${counts}>\n  <testsuite name="drift" ${counts}>\n${cases.join("\n")}\n  </testsuite>\n</testsuites>\n`;
}

export const formats = {
  text,
  json: (differences: readonly Difference[], objects: readonly string[]) =>
    jsonLine({ compared: objects.length, differences }),
  junit,
} as const;
