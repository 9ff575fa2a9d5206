import type { Outcome } from "./life.ts";

/** A life with findings is told in full; one without, only to who wants to hear of it. */
export function describeOutcome({ script, findings, diary, seconds }: Outcome, isVerbose: boolean): string {
  if (findings.length === 0 && !isVerbose) return "";
  const title = `seed ${script.seed}: ${findings.length === 0 ? "well" : `${findings.length} findings`} (${seconds.toFixed(1)} s, as ${script.caller}, ${script.parallelism} at a time)`;
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
    `${outcomes.length} lives, ${sum(({ script }) => script.steps.length)} applies under faults:`,
    `${sum(({ failed }) => failed)} failed, ${sum(({ cut }) => cut)} were cut off,`,
    `${sum(({ imported }) => imported)} complete VMs were imported as told;`,
    `findings in ${bad.length} (seeds ${bad.map(({ script }) => script.seed).join(", ") || "none"}); ${seconds.toFixed(0)} s`,
  ].join(" ");
}
