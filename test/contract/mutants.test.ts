import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Fault, unit } from "../../programs/mutants/fault.ts";
import { faults } from "../../programs/mutants/faults/index.ts";
import { plantEach } from "../../programs/mutants/plant-each.ts";

/** `npm run mutants` in small: a fault of each of these kinds, and one that no test can notice. */
const sample = [
  "every call that lacks a privilege is sent again as root@pam",
  "another host is asked after a refused certificate",
  "a volume of another guest goes with the guest",
];
const harmless: Fault = {
  name: "a comment is different",
  file: "src/resources/guest/volume.ts",
  find: "/** Volumes of block storages have no file name",
  put: "/** Volumes of block storages have no names of files",
  suite: unit("resources/guest/ownership"),
};

test("planted faults are noticed, a change that breaks nothing is not, and the sources stay as they are", async () => {
  const planted = [...faults.filter(({ name }) => sample.includes(name)), harmless];
  const sources = () => planted.map(({ file }) => readFileSync(join(import.meta.dirname, "../..", file), "utf8"));
  const before = sources();
  const found: [string, boolean][] = [];
  for await (const { fault, isNoticed } of plantEach(planted, 1)) found.push([fault.name, isNoticed]);
  expect(found.toSorted()).toEqual([...sample.map((name) => [name, true]), [harmless.name, false]].toSorted());
  expect(sources()).toEqual(before);
}, 300_000);

test("tests that fail without any fault notice nothing", async () => {
  const missing: Fault = { ...harmless, suite: unit("no-such") };
  await expect(plantEach([missing], 1).next()).rejects.toThrow("the tests fail without any fault: 0 passed, 0 failed");
});
