import { expect, test } from "vitest";
import { type AdditionFacts, readAdditions, readFacts } from "../../../schema/pve/facts.ts";
import type { PropertyFormat } from "../../../src/simulator/core/schema/property-string.ts";
import type { Properties, Schema } from "../../../src/simulator/core/schema/schema.ts";
import { emptyWorld } from "../../../src/simulator/core/world/empty.ts";
import { endpoints } from "../../../src/simulator/endpoints.ts";
import { endpointsIn } from "../../../src/simulator/versions.ts";

/** The version before one: of 9.1.11 it is 9.1.10. */
function versionBefore(version: string): string {
  const [major = 9, minor = 0, patch = 0] = version.split(".").map(Number);
  return `${major}.${minor}.${patch - 1}`;
}

function endpointsOf(version: string) {
  const release = version.split(".").slice(0, 2).join(".");
  return endpointsIn({ ...emptyWorld(), version: { version, release, repoid: "0" } }, endpoints);
}

function memberOf(properties: Properties, [name = "", ...inner]: readonly string[]): Schema | undefined {
  const schema = properties[name];
  if (schema === undefined || inner.length === 0) return schema;
  const text = (schema.type === "array" ? schema.items : schema) as { format?: PropertyFormat };
  return memberOf(text.format?.properties ?? {}, inner);
}

/** How many calls have it. */
function count(version: string, { path, parameter, value }: AdditionFacts): number {
  const below = endpointsOf(version).filter((one) => `${one.path}/`.startsWith(`${path}/`));
  if (parameter === undefined) return below.length;
  const writes = below.filter(({ method }) => method === "POST" || method === "PUT");
  const found = writes.flatMap(({ parameters }) => memberOf(parameters, parameter.split("/")) ?? []);
  return found.filter((schema) => value === undefined || ("enum" in schema && schema.enum?.includes(value))).length;
}

test.each(readAdditions())(
  "$path $parameter $value is served by a simulator of $since, and by none before it",
  (addition) => {
    expect(count(versionBefore(addition.since), addition)).toBe(0);
    expect(count(addition.since, addition)).toBeGreaterThan(0);
  },
);

test("the README counts the calls that the simulator serves", async () => {
  const { readFileSync } = await import("node:fs");
  const served = endpoints.filter(({ method, path }) => readFacts().has(`${method} ${path}`)).length;
  expect(readFileSync("README.md", "utf8")).toContain(`${served} of its ${readFacts().size} calls`);
});
