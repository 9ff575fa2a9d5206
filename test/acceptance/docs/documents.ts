import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A step of a document: a command to run, or a file to write. */
export type Step =
  | { readonly kind: "command"; readonly text: string }
  | { readonly kind: "file"; readonly name: string; readonly text: string };

const root = join(import.meta.dirname, "../../..");

/** The documents with commands, by path from the top of the repository. The CDKTF example has a test of its own. */
export function documents(): string[] {
  const guides = existsSync(join(root, "docs/guides")) ? readdirSync(join(root, "docs/guides")) : [];
  return [
    "README.md",
    "CONTRIBUTING.md",
    "src/simulator/README.md",
    ...guides.filter((name) => name.endsWith(".md")).map((name) => `docs/guides/${name}`),
  ];
}

/**
 * The steps of a document in order. Commands are in blocks marked `sh`; a block after `<!-- file: NAME -->` is a file.
 * The output of commands is in blocks marked `text` and is not a step.
 */
export function stepsOf(document: string): Step[] {
  const text = readFileSync(join(root, document), "utf8");
  const blocks = text.matchAll(
    /(?:<!-- file: (?<name>\S+) -->\n+)?^(?<indent> *)```(?<language>\w*)[^\n]*\n(?<body>.*?)^\k<indent>```/gms,
  );
  return [...blocks].flatMap(({ groups }) => {
    const { name, indent = "", language = "", body = "" } = groups ?? {};
    const plain = body.replaceAll(new RegExp(`^${indent}`, "gm"), "");
    if (name !== undefined) return [{ kind: "file", name, text: plain } as const];
    return /^(sh|shell|bash)$/.test(language) ? commandsIn(plain) : [];
  });
}

/** One command per line, except for continued lines; without comments. */
function commandsIn(block: string): Step[] {
  return block
    .replaceAll(/\\\n\s*/g, "")
    .split("\n")
    .map((line) => line.replace(/(^|\s)#\s.*$/, "").trim())
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((text) => ({ kind: "command", text }));
}
