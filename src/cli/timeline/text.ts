import { duration } from "../../log/line.ts";
import type { Report } from "./report.ts";

/** The same for a terminal: totals, steps, the slowest of them, endpoints. */
export function renderText(reports: readonly Report[], { broken }: { broken: number }): string {
  const lost = broken === 0 ? [] : [`${broken} lines of the trace could not be read.`, ""];
  return [...reports.flatMap(section), ...lost].join("\n");
}

function section({ run, runs, figures }: Report): string[] {
  const { wallMs, objects, calls, retries, lockWaitMs, failures, unfinished, steps, slowest, endpoints } = figures;
  const began = new Date(run.startedAt).toISOString().replace("T", " ").slice(0, 19);
  return [
    `Run ${run.number} of ${runs}, began ${began} UTC`,
    `${duration(wallMs)} for ${objects} objects, ${calls} API calls, ${retries} retries, ` +
      `${duration(lockWaitMs)} waited for locks, ${failures} steps failed, ${unfinished} unfinished`,
    "",
    ...columns(
      ["STEP", "COUNT", "TOTAL", "P50", "P95", "MAX"],
      steps.map(({ step, count, total, p50, p95, max }) => [step, count, ...[total, p50, p95, max].map(duration)]),
    ),
    "",
    ...columns(
      ["SLOWEST", "STEP", "TOOK"],
      slowest.map(({ name, step, ownMs }) => [name, step, duration(ownMs)]),
    ),
    "",
    ...columns(
      ["ENDPOINT", "CALLS", "TOTAL", "P50", "P95", "MAX"],
      endpoints.map(({ method, path, count, total, p50, p95, max }) => [
        `${method} ${path}`,
        count,
        ...[total, p50, p95, max].map(duration),
      ]),
    ),
    "",
  ];
}

/** The first column to the left, numbers to the right. */
function columns(heads: readonly string[], rows: readonly (readonly (string | number)[])[]): string[] {
  const cells = [heads, ...rows.map((row) => row.map((cell) => plain(String(cell))))];
  const widths = heads.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join("  "),
  );
}

/** A VM's name must not move the cursor. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for them
const plain = (text: string): string => text.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, "?");
