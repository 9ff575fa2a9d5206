import { expect, test } from "vitest";
import { runRounds, vnetStacks } from "../../../programs/runners/rounds.ts";

/** `npm run soak:runners` runs the fifty rounds. */
test("two pipelines that share only the cluster change its SDN at the same moment, and neither blocks the other", async () => {
  const { deadlocks, failures, wrong } = await runRounds(5, 1, vnetStacks);
  expect([...deadlocks, ...failures, ...wrong]).toEqual([]);
});
