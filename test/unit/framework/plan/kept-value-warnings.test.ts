import { expect, test } from "vitest";
import { keptValueWarnings } from "../../../../src/framework/plan/kept-value-warnings.ts";
import type { KeptValue } from "../../../../src/framework/plan/undo.ts";
import { nullable, set, string } from "../../../../src/framework/schema/types.ts";

const kept = (type: KeptValue["attribute"]["type"], reason: KeptValue["reason"]): string => {
  const attribute = { type, mode: "optional", doc: "" } as KeptValue["attribute"];
  const one = { path: [{ attribute: "member" }], attribute, reason };
  return keptValueWarnings({ kept: [one], unrecorded: [] }, { isLost: false })[0]?.detail ?? "";
};

const refusesEmpty = string({ check: (text) => (text === "" ? "Must not be empty." : undefined) });

test.each([
  ["[]", nullable(set(string())), set(string(), { min: 1 })],
  ['""', nullable(string()), nullable(refusesEmpty)],
])("%s is advised only where the configuration may have it", (word, takes, refuses) => {
  const reason = word === "[]" ? "unmanaged" : "unknown";
  expect(kept(takes, reason)).toContain(`write \`member = ${word}\``);
  expect(kept(refuses, reason)).toContain("To change a value, write the one you want.");
  expect(kept(refuses, reason)).not.toContain(word);
});
