import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterAll, describe, expect, test } from "vitest";

/**
 * Words that make a text literary, impersonal or ambiguous, and what to write instead. Word boundaries make them safe in
 * names: a variable called like one of them is found, a longer name that contains one is not.
 */
const betterWords: readonly [word: RegExp, better: string][] = [
  [/\btold\b/i, "reported, received, shown, configured; `tell apart`: distinguish"],
  [/\btells\b/i, "reports, shows, says; `tells apart`: distinguishes"],
  [/\b(nobody(?!@)|anybody|everybody)\b/i, "name the actor (user, caller, client), or use the passive"],
  [/\bsomebody\b/i, "another user, client or operation"],
  [/\bwhoever\b/i, "name the actor: the caller, the reader, the holder"],
  [/\bshall\b/i, "must, will, or the plain verb"],
  [/\blearnt\b/i, "read, found, received"],
  [/\b(go|goes|gone|going) on with\b/i, "resume, continue"],
  [/\bcut off\b/i, "interrupted (an operation), truncated (data)"],
  [/\b(by itself|by themselves)\b/i, "automatically, on its own, alone"],
  [/\bfor ever\b/i, "without an end, permanently; `cannot be undone`"],
  [/\bto be seen\b/i, "visible"],
];

/** Lines that may contain such a word, by file, as a part of the line: quotes of other programs, and names of systems. */
const allowed: Allowed = {};

type Allowed = Readonly<Record<string, readonly string[]>>;

const root = join(import.meta.dirname, "../..");
const places = ["src", "scripts", "programs", "test", "docs", "examples", ".github"];
const topFiles = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "vitest.config.ts"];
const isText = /\.(ts|md|tf|hcl|sh|yml)$/;
/** Decisions are never rewritten; generated pages and tables are scanned at their source. */
const isExempt =
  /^docs\/(decisions|actions|data-sources|ephemeral-resources|functions|list-resources|resources)\/|\/\.?gen\/|\/node_modules\/|^test\/recordings\/data\/|^test\/unit\/language\.test\.ts$/;

interface Finding {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

function textsIn(folder: string): string[] {
  const below = places.flatMap((place) =>
    readdirSync(join(folder, place), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && isText.test(entry.name))
      .map((entry) => relative(folder, join(entry.parentPath, entry.name))),
  );
  return [...topFiles, ...below].filter((path) => !isExempt.test(path)).sort();
}

/** Every unwanted word in a file, with the better one. */
function findingsIn(folder: string, path: string, exceptions = allowed): Finding[] {
  const lines = readFileSync(join(folder, path), "utf8").split("\n");
  return lines.flatMap((line, index) =>
    betterWords
      .filter(([word]) => word.test(line) && !exceptions[path]?.some((part) => line.includes(part)))
      .map(([word, better]) => ({
        path,
        line: index + 1,
        text: `${path}:${index + 1}: "${word.exec(line)?.[0]}": ${better}`,
      })),
  );
}

/** Exceptions without a line, which would hide the next use of the word. */
const unusedOf = (folder: string, exceptions: Allowed): string[] =>
  Object.entries(exceptions).flatMap(([path, parts]) => {
    const text = readFileSync(join(folder, path), "utf8");
    return parts.filter((part) => !text.includes(part)).map((part) => `${path}: ${part}`);
  });

describe("the language of sources, tests and documents", () => {
  const findings = textsIn(root).flatMap((path) => findingsIn(root, path));

  test("has none of the words that we avoid", () => {
    expect(findings.map(({ text }) => text)).toEqual([]);
  });

  test("allows only lines that exist", () => {
    expect(unusedOf(root, allowed)).toEqual([]);
  });
});

describe("the scan", () => {
  const folder = mkdtempSync(join(tmpdir(), "language-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function plant(path: string, text: string): void {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }

  test("finds a planted word with its line and the better word, in code, documents and tests", () => {
    for (const place of places) mkdirSync(join(folder, place), { recursive: true });
    for (const path of topFiles) plant(path, "Plain text.\n");
    plant("src/pve/a.ts", '/** Fine. */\nthrow new Error("Nobody answers");\n');
    plant("docs/guides/a.md", "A create that was cut off\nis gone on with.\n");
    plant("test/unit/a.test.ts", 'test("a client is told why", () => {});\n');
    plant("src/pve/sound.ts", "const untold = isTold + shallow + retells;\n");
    plant("docs/decisions/001-a.md", "Nobody rewrites this.\n");
    plant("src/plugin/gen/a.ts", "// nobody\n");
    const found = textsIn(folder).flatMap((path) => findingsIn(folder, path));
    expect(found.map(({ text }) => text)).toEqual([
      'docs/guides/a.md:1: "cut off": interrupted (an operation), truncated (data)',
      'docs/guides/a.md:2: "gone on with": resume, continue',
      'src/pve/a.ts:2: "Nobody": name the actor (user, caller, client), or use the passive',
      'test/unit/a.test.ts:1: "told": reported, received, shown, configured; `tell apart`: distinguish',
    ]);
  });

  test("accepts an allowed line only, and finds an exception that is not used", () => {
    plant("src/pve/quote.ts", 'const user = "nobody";\nconst text = "nobody answers";\n');
    const exceptions = { "src/pve/quote.ts": ['user = "nobody"', "group"] };
    expect(findingsIn(folder, "src/pve/quote.ts", exceptions).map(({ line }) => line)).toEqual([2]);
    expect(unusedOf(folder, exceptions)).toEqual(["src/pve/quote.ts: group"]);
  });
});
