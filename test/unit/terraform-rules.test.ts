import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const page = readFileSync(join(root, "docs/terraform-rules.md"), "utf8");
const rows = page.split("\n").filter((line) => /^\| (?!rule )/.test(line));

test("each rule of Terraform has a file that enforces it, and a test", () => {
  expect(rows.length).toBeGreaterThan(40);
  for (const row of rows) {
    const [, rule = "", ours = "", tests = ""] = row.split(" | ").join("|").split("|");
    const filesIn = (cell: string, folder: string) =>
      [...cell.matchAll(/`([\w./-]+)`/g)].flatMap(([, file = ""]) => (file.startsWith(folder) ? [file] : []));
    const named = [filesIn(ours, "src/"), filesIn(tests, "test/")];
    expect([rule, named.map(({ length }) => length > 0)]).toEqual([rule, [true, true]]);
    const missing = named.flat().filter((file) => !existsSync(join(root, file)));
    expect([rule, missing]).toEqual([rule, []]);
  }
});
