import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A piece of a document a reader acts upon: a command to type, or a file to write. */
export type Step =
  | { readonly kind: "command"; readonly text: string }
  | { readonly kind: "file"; readonly name: string; readonly text: string };

const root = join(import.meta.dirname, "../../..");

/** What tells people what to type, by path from the top of the repository. The CDKTF example has a test of its own. */
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
 * The steps of a document in order. Commands stand in blocks marked `sh`; a block after `<!-- file: NAME -->` is a file.
 * What commands print stands in blocks marked `text` and is not a step.
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

/** One per line, but for lines that go on; without comments, which are for the reader. */
function commandsIn(block: string): Step[] {
  return block
    .replaceAll(/\\\n\s*/g, "")
    .split("\n")
    .map((line) => line.replace(/(^|\s)#\s.*$/, "").trim())
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((text) => ({ kind: "command", text }));
}
