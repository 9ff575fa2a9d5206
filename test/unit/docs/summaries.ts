import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The summaries of all messages of the provider, read from its sources; placeholders appear as `…`. They are literals
 * by convention: `report.error(path, summary, detail)`, `new Failure(summary, detail)`, `{ summary, detail }`.
 */
export function summariesIn(folder: string): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  const found = files
    .filter((name) => !/^(simulator|cli|resources\/functions|plugin)\//.test(name))
    .flatMap((name) => summariesOf(readFileSync(join(folder, name), "utf8")).map((text) => [text, name] as const));
  return new Map(found.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

export function summariesOf(source: string): string[] {
  const calls: [RegExp, number][] = [
    [/\breport\??\.(?:error|warning)\(/g, 1],
    [/\bnew Failure\(/g, 0],
  ];
  const inCalls = calls.flatMap(([call, index]) =>
    [...source.matchAll(call)].map(({ index: at, 0: text }) => argumentsAt(source, at + text.length)[index] ?? ""),
  );
  const inObjects = [...source.matchAll(/\bsummary(?::| =) (.*)/g)].map(([, rest = ""]) => rest);
  return [...inCalls, ...inObjects]
    .flatMap(literalsIn)
    .map((text) => text.replaceAll(/\$\{kind\.(?:noun|title)\}/g, "VM").replaceAll(/\$\{[^}]*\}/g, "…"))
    .filter((text) => /^(…|[A-Z])[^:]*$/.test(text));
}

/** The literal, or both of `a ? "…" : "…"`. */
function literalsIn(expression: string): string[] {
  return [...expression.matchAll(/(?<=^|\? |: )(?:"([^"]+)"|`([^`]+)`)/g)].map(
    ([, plain, filled]) => plain ?? filled ?? "",
  );
}

/** The texts of a call's arguments, after its opening parenthesis. */
function argumentsAt(source: string, start: number): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = start;
  let quote = "";
  for (let at = start; at < source.length; at++) {
    const character = source[at] ?? "";
    if (quote !== "") {
      if (character === "\\") at++;
      else if (character === quote) quote = "";
    } else if (/["'`]/.test(character)) quote = character;
    else if (/[([{]/.test(character)) depth++;
    else if (character === "," && depth === 0) {
      parts.push(source.slice(from, at).trim());
      from = at + 1;
    } else if (/[)\]}]/.test(character) && depth-- === 0) {
      return [...parts, source.slice(from, at).trim()].filter((part) => part !== "");
    }
  }
  return parts;
}
