import type { Result } from "./run-checks.ts";

const signs = { ok: "✔", notice: "!", failed: "✘", skipped: "-" } as const;

/** A line for each finding, the advice below it, and a summary at the end. */
export function showTable(results: readonly Result[]): string {
  const hasSeveral = new Set(results.flatMap(({ subject }) => subject ?? [])).size > 1;
  const labels = results.map((result, index) => labelOf(result, results[index - 1], hasSeveral));
  const width = Math.max(...labels.map(({ length }) => length)) + 2;
  const lines = results.flatMap(({ verdict, said, cure }, index) => [
    `${signs[verdict]} ${(labels[index] ?? "").padEnd(width)}${said}`,
    ...cure.map((line) => `${" ".repeat(width + 2)}${line}`),
  ]);
  return [...lines, "", summary(results), ""].join("\n");
}

/** A check with several findings is named once; endpoints are named where there are several. */
function labelOf({ check, subject }: Result, before: Result | undefined, hasSeveral: boolean): string {
  if (check === before?.check && subject === before.subject) return "";
  return subject === undefined || !hasSeveral ? check : `${check} of ${new URL(subject).host}`;
}

function summary(results: readonly Result[]): string {
  const count = (verdict: Result["verdict"]) => results.filter((result) => result.verdict === verdict).length;
  const [faults, notices] = [count("failed"), count("notice")];
  if (faults > 0) return faults === 1 ? "1 problem to fix." : `${faults} problems to fix.`;
  return notices > 0 ? "No problems, but read the lines with an exclamation mark." : "No problems.";
}
