import { join } from "node:path";
import { expect, test } from "vitest";
import { soak } from "../../programs/soak/soak.ts";
import { buildProvider } from "../acceptance/cluster-workspace.ts";

/** `npm run soak` runs the ten thousand and measures memory: so few operations say nothing about it. */
test("three hundred operations leave no socket or timer behind", { timeout: 600_000 }, async () => {
  const { folder } = await buildProvider();
  const { samples } = await soak(join(folder, "provider.mjs"), 300);
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last) throw new Error("no vitals were taken");
  expect(last.sockets).toBeLessThanOrEqual(first.sockets + 8);
  expect(last.timers).toBeLessThanOrEqual(first.timers + 4);
});
