import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const resources = join(import.meta.dirname, "../../../src/resources");
const readmes = readdirSync(resources, { recursive: true, encoding: "utf8" }).filter((name) =>
  name.endsWith("README.md"),
);

/** A file is named by its path below `src/resources`, or by its name alone where its folder is clear. */
const folders = ["", "guest", "guest/lifecycle", "guest/plan"];

test.each(readmes)("every file that %s names exists", (readme) => {
  const text = readFileSync(join(resources, readme), "utf8");
  const files = [...text.matchAll(/`([\w/-]+\.ts)`/g)].map(([, file = ""]) => file);
  expect(files.length).toBeGreaterThan(0);
  expect(
    files.filter((file) => ![dirname(readme), ...folders].some((folder) => existsSync(join(resources, folder, file)))),
  ).toEqual([]);
});
