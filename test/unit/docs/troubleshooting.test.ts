import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { summariesIn, summariesOf } from "./summaries.ts";

const root = join(import.meta.dirname, "../../..");
const guide = readFileSync(join(root, "docs/guides/troubleshooting.md"), "utf8");

const references = new Set(["node", "storage", "pool"].map((kind) => `No such ${kind}`));

test("every message of the provider has its cause and its action in the guide", () => {
  const summaries = summariesIn(join(root, "src"));
  expect(summaries.size).toBeGreaterThan(100);
  const missing = [...summaries].filter(([summary]) => !guide.includes(`\`${summary}\``));
  expect(missing).toEqual([]);
});

test("the guide has no message that the provider no longer emits", () => {
  const summaries = new Set(summariesIn(join(root, "src")).keys());
  const spoken = [...guide.matchAll(/^\| `([^`]+)` \|/gm)].map(([, summary = ""]) => summary);
  // The kit emits one for every kind of reference; the common ones have rows of their own.
  const isReference = (summary: string) => summaries.has("No such …") && references.has(summary);
  expect(spoken.filter((summary) => !summaries.has(summary) && !isReference(summary))).toEqual([]);
});

test.each([
  ['report.error("a.b", "First", "more");', ["First"]],
  ['report.warning(pathOf(x, [1, "y"]), "Second, with a comma", `…`);', ["Second, with a comma"]],
  [`throw new Failure(\`VM \${id} is gone\`, detail);`, ["VM … is gone"]],
  ['return { summary: isEmpty ? "None" : "Some", detail };', ["None", "Some"]],
  ["report.error(null, summary, detail);", []],
])("summaries are read from %s", (source, summaries) => {
  expect(summariesOf(source)).toEqual(summaries);
});
