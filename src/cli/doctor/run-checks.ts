import { PveError } from "#pve";
import { type Check, type Finding, failed, type Verdict } from "./check.ts";
import type { CheckContext } from "./check-context.ts";

/** A finding with its check; skipped checks are listed too, with the reason. */
export interface Result {
  readonly check: string;
  readonly subject: string | undefined;
  readonly verdict: Verdict | "skipped";
  readonly said: string;
  readonly cure: readonly string[];
  /** For a skipped check: the check that must pass first. */
  readonly waitsFor?: string;
}

/** Runs the checks in the given order: each depends on those before it. */
export async function runChecks(checks: readonly Check[], context: CheckContext): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const check of checks) {
    const missing = check.needs.find((need) => !isMet(need, check, results));
    const about = { check: check.id, subject: check.subject };
    if (missing !== undefined) {
      const waitsFor = firstBlocking(missing, check, results);
      results.push({
        ...about,
        verdict: "skipped",
        said: `skipped: ${waitsFor} must pass first`,
        cure: [],
        waitsFor,
      });
      continue;
    }
    const findings = await look(check, context);
    results.push(...findings.map(({ verdict, said, cure = [] }) => ({ ...about, verdict, said, cure })));
  }
  return results;
}

/** A check of one endpoint depends on that endpoint; any other needs one endpoint that works. */
function isMet(need: string, check: Check, results: readonly Result[]): boolean {
  return resultsOf(need, check, results).some(({ verdict }) => verdict === "ok" || verdict === "notice");
}

/** A skipped check waits for another one; the user must look at that one. */
function firstBlocking(need: string, check: Check, results: readonly Result[]): string {
  return resultsOf(need, check, results).find(({ waitsFor }) => waitsFor !== undefined)?.waitsFor ?? need;
}

function resultsOf(id: string, { subject }: Check, results: readonly Result[]): readonly Result[] {
  const isAbout = (result: Result) =>
    subject === undefined || result.subject === undefined || result.subject === subject;
  return results.filter((result) => result.check === id && isAbout(result));
}

async function look(check: Check, context: CheckContext): Promise<readonly Finding[]> {
  try {
    const seen = await check.look(context);
    return Array.isArray(seen) ? seen : [seen as Finding];
  } catch (reason) {
    return [failed(PveError.from(reason).message)];
  }
}
