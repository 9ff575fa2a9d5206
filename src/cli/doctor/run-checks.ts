import { PveError } from "#pve";
import { type Check, type Finding, failed, type Verdict } from "./check.ts";
import type { Visit } from "./visit.ts";

/** A finding with the check it is of; what could not be looked at is listed too, with the reason. */
export interface Result {
  readonly check: string;
  readonly subject: string | undefined;
  readonly verdict: Verdict | "skipped";
  readonly said: string;
  readonly cure: readonly string[];
  /** Of what was skipped: the check that has to pass first. */
  readonly waitsFor?: string;
}

/** One after the other, in the order given: each is judged with those before it in mind. */
export async function runChecks(checks: readonly Check[], visit: Visit): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const check of checks) {
    const missing = check.needs.find((need) => !isMet(need, check, results));
    const about = { check: check.id, subject: check.subject };
    if (missing !== undefined) {
      const waitsFor = firstInTheWay(missing, check, results);
      results.push({
        ...about,
        verdict: "skipped",
        said: `skipped: ${waitsFor} has to pass first`,
        cure: [],
        waitsFor,
      });
      continue;
    }
    const findings = await look(check, visit);
    results.push(...findings.map(({ verdict, said, cure = [] }) => ({ ...about, verdict, said, cure })));
  }
  return results;
}

/** A check of one endpoint needs what that endpoint needs; any other is content with one endpoint that works. */
function isMet(need: string, check: Check, results: readonly Result[]): boolean {
  return resultsOf(need, check, results).some(({ verdict }) => verdict === "ok" || verdict === "notice");
}

/** What was skipped itself waits for something; that is what a person has to look at. */
function firstInTheWay(need: string, check: Check, results: readonly Result[]): string {
  return resultsOf(need, check, results).find(({ waitsFor }) => waitsFor !== undefined)?.waitsFor ?? need;
}

function resultsOf(id: string, { subject }: Check, results: readonly Result[]): readonly Result[] {
  const isAbout = (result: Result) =>
    subject === undefined || result.subject === undefined || result.subject === subject;
  return results.filter((result) => result.check === id && isAbout(result));
}

async function look(check: Check, visit: Visit): Promise<readonly Finding[]> {
  try {
    const seen = await check.look(visit);
    return Array.isArray(seen) ? seen : [seen as Finding];
  } catch (reason) {
    return [failed(PveError.from(reason).message)];
  }
}
