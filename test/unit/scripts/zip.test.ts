import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { zip } from "../../../scripts/package/zip.ts";

const folder = mkdtempSync(join(tmpdir(), "zip-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const entries = [
  { name: "program", contents: Buffer.alloc(200_000, "all work and no play "), mode: 0o755 },
  { name: "notes.txt", contents: Buffer.from("grüße"), mode: 0o644 },
  { name: "empty", contents: Buffer.alloc(0), mode: 0o600 },
];

/** A reader that shares nothing with the writer. */
const unzip = (...args: string[]) => spawnSync("unzip", args, { encoding: "utf8" });
const hasUnzip = unzip("-v").status === 0;

test.skipIf(!hasUnzip)(
  "other programs read a zip file with its contents, permissions and a constant date",
  async () => {
    const file = join(folder, "some.zip");
    writeFileSync(file, await zip(entries));
    expect(unzip("-q", file, "-d", folder)).toMatchObject({ status: 0, stdout: "", stderr: "" });
    for (const { name, contents, mode } of entries) {
      const path = join(folder, name);
      expect(readFileSync(path), name).toEqual(contents);
      expect(statSync(path).mode & 0o777, name).toBe(mode);
      expect(statSync(path).mtime.getFullYear(), name).toBe(1980);
    }
    expect(statSync(file).size).toBeLessThan(2_000);
  },
);

test("the same entries make the same bytes", async () => {
  expect(await zip(entries)).toEqual(await zip(entries));
});
