const context = 3;

interface Step {
  readonly mark: " " | "-" | "+";
  readonly line: string;
  /** Number of lines before this one in the old and in the new text. */
  readonly old: number;
  readonly new: number;
}

/** The body of `diff -b -u`, for which the amount of white space makes no difference: undefined if the texts are equal. The header names the files. */
export function unifiedDiff(before: string, after: string, names: readonly [string, string]): string | undefined {
  const steps = compare(linesOf(before), linesOf(after));
  const hunks = hunksOf(steps);
  return hunks.length === 0
    ? undefined
    : [`--- ${names[0]}`, `+++ ${names[1]}`, ...hunks.flatMap(formatHunk)].map((line) => `${line}\n`).join("");
}

const isSame = (one: string | undefined, other: string | undefined) =>
  one !== undefined && other !== undefined && plain(one) === plain(other);
const plain = (line: string) => line.trimEnd().replace(/\s+/g, " ");

function linesOf(text: string): string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

/** Keeps the longest common subsequence of lines; the rest is removed or added. */
function compare(before: string[], after: string[]): Step[] {
  const length = Array.from({ length: before.length + 1 }, () => new Array<number>(after.length + 1).fill(0));
  const at = (i: number, j: number) => length[i]?.[j] ?? 0;
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      const row = length[i] as number[];
      row[j] = isSame(before[i], after[j]) ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const steps: Step[] = [];
  let i = 0;
  let j = 0;
  while (i < before.length || j < after.length) {
    const place = { old: i, new: j };
    if (isSame(before[i], after[j])) {
      steps.push({ mark: " ", line: before[i++] as string, ...place });
      j++;
    } else if (j >= after.length || (i < before.length && at(i + 1, j) >= at(i, j + 1))) {
      steps.push({ mark: "-", line: before[i++] as string, ...place });
    } else {
      steps.push({ mark: "+", line: after[j++] as string, ...place });
    }
  }
  return steps;
}

/** Groups of changes with three lines around them; overlapping ones are joined. */
function hunksOf(steps: Step[]): Step[][] {
  const ranges: [number, number][] = [];
  for (const [index, { mark }] of steps.entries()) {
    const last = ranges.at(-1);
    if (mark === " ") {
      continue;
    }
    if (last !== undefined && index - context <= last[1] + 1) {
      last[1] = index + context;
    } else {
      ranges.push([Math.max(0, index - context), index + context]);
    }
  }
  return ranges.map(([from, to]) => steps.slice(from, to + 1));
}

function formatHunk(hunk: Step[]): string[] {
  const first = hunk[0] as Step;
  const range = (start: number, mark: "-" | "+") => {
    const count = hunk.filter((step) => step.mark === " " || step.mark === mark).length;
    return `${mark}${count === 0 ? start : start + 1}${count === 1 ? "" : `,${count}`}`;
  };
  return [`@@ ${range(first.old, "-")} ${range(first.new, "+")} @@`, ...hunk.map(({ mark, line }) => `${mark}${line}`)];
}
