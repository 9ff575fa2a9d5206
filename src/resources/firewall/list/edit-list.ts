import { Failure, isPveError, provenWrite, type Session } from "#kit";
import type { FirewallRuleCalls } from "#pve";
import { isAnotherChangeOver } from "../activity.ts";
import { parametersOf, parseRule } from "../rule-values.ts";
import type { Step } from "./list-draft.ts";
import { planEdit } from "./plan-edit.ts";
import { isSameRule, type Rule } from "./rule.ts";

interface Shown {
  readonly rules: readonly Rule[];
  /** Of the whole list; an empty one has none. */
  readonly digest: string | undefined;
}

/** How often an edit begins anew because another client wrote, or an answer was lost. */
const attempts = 10;
const lossesAllowed = 3;

/**
 * Makes the list what is desired with the fewest calls, each under the digest of the list that it expects. After each call
 * the list is read: if it is not what the call should have left, another client wrote, and the rest is planned anew.
 * `between` is done when all new rules are there and the old ones still are; it may be done again.
 */
export async function editList(
  api: Session,
  calls: FirewallRuleCalls,
  desired: readonly Rule[],
  signal: AbortSignal,
  between?: () => Promise<void>,
): Promise<void> {
  let losses = 0;
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const shown = await read(calls, signal);
    try {
      const steps = planEdit(shown.rules, desired, { keepsOld: between !== undefined });
      if (await walk(api, calls, { steps, between }, shown, signal)) return;
    } catch (reason) {
      // A name that another resource of this run creates, without a reference to it.
      if (isPveError(reason, "invalid") && (await isAnotherChangeOver(api, signal))) {
        attempt--;
        continue;
      }
      const isLost = isPveError(reason) && reason.mayHaveHappened && ++losses <= lossesAllowed;
      if (!isLost && !api.isOutdated(reason)) throw reason;
    }
  }
  throw new Failure(
    "Firewall rules keep changing",
    `Another client changed the same list ${attempts} times while it was edited. Every packet is treated as by the old list or as by the new one. Find out what else writes these rules, then run this again.`,
  );
}

interface Walk {
  readonly steps: readonly Step[];
  readonly between: (() => Promise<void>) | undefined;
}

/** Whether all steps left the list that they should have. */
async function walk(
  api: Session,
  calls: FirewallRuleCalls,
  { steps, between }: Walk,
  from: Shown,
  signal: AbortSignal,
): Promise<boolean> {
  const middle = steps.find(({ isLeaving }) => isLeaving);
  let now = from;
  for (const step of steps) {
    if (step === middle) await between?.();
    const before = now;
    const isDone = async () => !isSameList((await read(calls, signal)).rules, before.rules);
    await provenWrite(api, { write: () => send(calls, step, before, signal), isDone, signal });
    now = await read(calls, signal);
    if (!isSameList(now.rules, step.after)) return false;
  }
  if (middle === undefined) await between?.();
  return true;
}

function send(calls: FirewallRuleCalls, step: Step, { rules, digest }: Shown, signal: AbortSignal): Promise<null> {
  switch (step.kind) {
    case "insert":
      return calls.insert(parametersOf(step.rule, null), { signal });
    case "move":
      return calls.move(step.from, step.to, digest, { signal });
    case "change":
      return calls.update(step.at, parametersOf(step.rule, rules[step.at] ?? null), digest, { signal });
    case "remove":
      return calls.remove(step.at, digest, { signal });
  }
}

async function read(calls: FirewallRuleCalls, signal: AbortSignal): Promise<Shown> {
  const listed = await calls.list({ signal });
  return { rules: listed.map(parseRule), digest: listed[0]?.digest };
}

const isSameList = (a: readonly Rule[], b: readonly Rule[]): boolean =>
  a.length === b.length && a.every((rule, index) => isSameRule(rule, b[index] as Rule));
