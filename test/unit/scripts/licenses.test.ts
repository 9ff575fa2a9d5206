import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { licensesOf, printLicenses } from "../../../scripts/licenses.ts";

const root = mkdtempSync(join(tmpdir(), "licenses-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function install(name: string, files: Record<string, string>): void {
  const folder = join(root, "node_modules", name);
  mkdirSync(folder, { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
}
const manifest = (name: string, more: object = { license: "MIT" }) =>
  JSON.stringify({ name, version: "1.0.0", ...more });

install("plain", { "package.json": manifest("plain"), LICENSE: "Do as you like.\n" });
install("@scope/other", { "package.json": manifest("@scope/other"), "licence.md": "Be nice.\n" });
install("textless", { "package.json": manifest("textless") });
install("nameless", { "package.json": manifest("nameless", {}), LICENSE: "?" });

describe("the licences", () => {
  test("are listed once per package, by name, with their text", () => {
    const files = [
      "src/main.ts",
      "node_modules/plain/a.js",
      "node_modules/@scope/other/b.js",
      "node_modules/plain/c/d.js",
    ];
    const licenses = licensesOf(files, root);
    expect(licenses.map(({ name, text }) => [name, text])).toEqual([
      ["@scope/other", "Be nice.\n"],
      ["plain", "Do as you like.\n"],
    ]);
    expect(printLicenses(licenses)).toMatch(/plain 1\.0\.0 +MIT\n.*={80}\nplain 1\.0\.0\n\nDo as you like\.\n$/s);
  });

  test.each(["textless", "nameless"])("are required of every package: %s", (name) => {
    expect(() => licensesOf([`node_modules/${name}/index.js`], root)).toThrow(
      `${name} 1.0.0 is bundled, but its package names no licence or has no text of it`,
    );
  });
});
