import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { taskTypes } from "../../../../../src/simulator/core/tasks/task-types.ts";

test("every task that the simulator starts can be named by a fault", () => {
  const sources = globSync("src/simulator/**/*.ts").map((file) => readFileSync(file, "utf8"));
  const started = sources.flatMap((text) => [...text.matchAll(/\.worker\(\s*"([\w-]+)"/g)].map(([, type]) => type));
  expect(started.length).toBeGreaterThan(40);
  expect(started.filter((type) => !taskTypes.includes(type ?? ""))).toEqual([]);
});
