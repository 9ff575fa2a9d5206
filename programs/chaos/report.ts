import type { Outcome } from "./life.ts";

/** A run with findings is described in full; one without, only on request. */
export function describeOutcome({ script, findings, diary, seconds }: Outcome, isVerbose: boolean): string {
  if (findings.length === 0 && !isVerbose) return "";
  const title = `seed ${script.seed}: ${findings.length === 0 ? "no findings" : `${findings.length} findings`} (${seconds.toFixed(1)} s, as ${script.caller}, ${script.parallelism} at a time, ${script.parts.map(({ name }) => name).join(", ")})`;
  const wishes = isVerbose ? script.steps.map(({ configs }) => `  wish: ${JSON.stringify(configs)}`) : [];
  return [
    title,
    ...findings.map(({ kind, text }) => `  FINDING ${kind}: ${text.replaceAll("\n", "\n    ")}`),
    ...diary.map((line) => `  ${line.replaceAll("\n", "\n    ")}`),
    ...wishes,
  ].join("\n");
}

export function summarise(outcomes: readonly Outcome[], seconds: number): string {
  const sum = (count: (outcome: Outcome) => number) => outcomes.reduce((total, outcome) => total + count(outcome), 0);
  const bad = outcomes.filter(({ findings }) => findings.length > 0);
  return [
    `${outcomes.length} runs, ${sum(({ script }) => script.steps.length)} applies under faults:`,
    `${sum(({ failed }) => failed)} failed, ${sum(({ cut }) => cut)} were interrupted,`,
    `${sum(({ imported }) => imported)} complete objects were imported as the message says;`,
    `findings in ${bad.length} (seeds ${bad.map(({ script }) => script.seed).join(", ") || "none"}); ${seconds.toFixed(0)} s`,
  ].join(" ");
}
