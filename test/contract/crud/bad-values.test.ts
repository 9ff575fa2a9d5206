import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ResourceBench } from "../resource-bench.ts";
import { badConfigs, problemWith } from "./bad-values.ts";
import { openRowsBench } from "./bench.ts";
import { handRows } from "./hand-rows.ts";
import { withValue } from "./row.ts";
import { casesOf, rows } from "./rows.ts";
import { settingsRows } from "./settings-rows.ts";

/** `npm run fuzz:definitions` tries every value; here, one of so many. */
const every = Number(process.env["EVERY"] ?? 13);

let bench: ResourceBench;

beforeAll(async () => {
  bench = await openRowsBench({ as: "root@pam" });
});
afterAll(() => bench.close());

describe.each(casesOf([...rows, ...settingsRows, ...handRows]))("$name", ({ type, base, values, prepare }) => {
  beforeAll(() => prepare?.(bench.simulator.sim.world));

  test("takes a value and keeps it, or refuses it in the plan", async () => {
    const everything = Object.entries(values).reduce(
      (config, [path, [, second]]) => withValue(config, path, second),
      base,
    );
    const resource = bench.resource(type);
    const findings: string[] = [];
    const all = badConfigs(resource.schema.body, base, everything);
    for (const { path, value, config } of all.filter((_, index) => index % every === 0)) {
      const problem = await problemWith(resource, config);
      if (problem !== null) findings.push(`${path} = ${JSON.stringify(value).slice(0, 60)}: ${problem}`);
    }
    expect(findings).toEqual([]);
  });
});
