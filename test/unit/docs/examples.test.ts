import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const examples = join(import.meta.dirname, "../../../examples");

/** What the files of a folder of examples declare, for instance `output "ids"`. */
function declarations(kind: string): string[] {
  return readdirSync(join(examples, kind), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".tf"))
    .flatMap((file) => [...readFileSync(join(examples, kind, file), "utf8").matchAll(/^(?:output|data) .*(?= \{)/gm)])
    .map(([declaration]) => declaration);
}

test("examples of data sources have outputs of different names, since they are tested in one configuration", () => {
  const found = declarations("data-sources");
  expect(found.filter((declaration, index) => found.indexOf(declaration) !== index)).toEqual([]);
});
