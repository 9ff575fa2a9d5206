import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { plantIn } from "../../../programs/mutants/fault.ts";
import { faults } from "../../../programs/mutants/faults/index.ts";

const at = (path: string): string => join(import.meta.dirname, "../../..", path);

test.each(faults)("can be planted: $name", (fault) => {
  const source = readFileSync(at(fault.file), "utf8");
  expect(plantIn(source, fault)).not.toBe(source);
  expect(existsSync(at(fault.suite.file)), fault.suite.file).toBe(true);
});

test("are many, and each has a name of its own", () => {
  expect(faults.length).toBeGreaterThanOrEqual(50);
  expect(new Set(faults.map(({ name }) => name)).size).toBe(faults.length);
});

test.each([
  ["a text that is gone", "const a = 1;", "does not have the text"],
  ["a text that is there twice", "old old", "has 2 times the text"],
])("%s stops the program, which names the fault and the file", (_, source, message) => {
  const fault = {
    name: "a is b",
    file: "src/a.ts",
    find: "old",
    put: "new",
    suite: { project: "unit", file: "" },
  } as const;
  expect(() => plantIn(source, fault)).toThrow(`"a is b" cannot be planted: src/a.ts ${message}`);
});
