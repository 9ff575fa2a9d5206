import { setTimeout as wait } from "node:timers/promises";
import type { Simulator } from "../../src/simulator/simulator.ts";
import { Comparison } from "./compare.ts";
import { Identities } from "./identities.ts";
import type { Step } from "./recording.ts";
import { Session } from "./session.ts";

export interface Result {
  readonly exact: number;
  readonly soft: number;
  /** One text per interaction that differs. */
  readonly hard: readonly string[];
}

/** Replays a scenario on a simulator that is back at the fixture. */
export async function replay(simulator: Simulator, steps: readonly Step[]): Promise<Result> {
  const session = new Session(simulator);
  const identities = new Identities(steps);
  const hard: string[] = [];
  let soft = 0;
  for (const step of steps) {
    const comparison = new Comparison(identities, step.path ?? "");
    if (step.sleep_ms) {
      await wait(step.sleep_ms / simulator.sim.clock.speed);
    }
    await run(session, step, comparison).catch((error: Error) => comparison.hard.push(`request: ${error.message}`));
    const isLenient = step.fake || step.timing;
    if (comparison.hard.length > 0 && !isLenient) {
      const { method = "wait", path = "", title } = step;
      hard.push([`#${step.step} ${method} ${path} (${title})`, ...comparison.hard].join("\n    "));
    } else if (comparison.hard.length + comparison.soft.length > 0) {
      soft += 1;
    }
  }
  return { exact: steps.length - hard.length - soft, soft, hard };
}

async function run(session: Session, step: Step, comparison: Comparison): Promise<void> {
  if (step.control) {
    await session.control(step.control);
    return;
  }
  if (step.wait_upid) {
    comparison.task(step.expect_task ?? {}, await session.task(String(session.fill(step.wait_upid))));
    return;
  }
  const answer = await session.send(step);
  comparison.answer(step.expect ?? { status: 200 }, answer);
  const upid = (answer.json as { data?: unknown } | undefined)?.data;
  if (step.wait_task && typeof upid === "string" && upid.startsWith("UPID:")) {
    comparison.task(step.expect_task ?? {}, await session.task(upid));
  } else if (step.wait_task && step.expect_task) {
    comparison.hard.push(`task: no UPID to wait for, got ${JSON.stringify(upid)}`);
  }
}
