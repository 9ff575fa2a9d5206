import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fingerprint, localFile, textFile } from "../../../../src/resources/storage/local-file.ts";

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "local-file-"));
});

afterAll(() => rmSync(folder, { recursive: true }));

const silent = { debug() {}, info() {}, warn() {}, error() {} };

function written(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe("a local file", () => {
  test("is read once, as long as it does not change", async () => {
    const path = written("a.iso", "one");
    const seen = await fingerprint(path, null);
    expect(seen).toMatchObject({ path, size: 3, sha256: textFile("one").sha256 });
    const trusted = { ...seen, sha256: "as remembered" };
    expect((await fingerprint(path, trusted)).sha256).toBe("as remembered");
  });

  test.each([
    ["its content", (path: string) => writeFileSync(path, "two")],
    ["its length", (path: string) => writeFileSync(path, "longer")],
  ])("is read again when %s changes", async (_, change) => {
    const path = written("b.iso", "one");
    const trusted = { ...(await fingerprint(path, null)), sha256: "as remembered" };
    await expect
      .poll(() => {
        change(path);
        return fingerprint(path, trusted).then(({ sha256 }) => sha256);
      })
      .not.toBe("as remembered");
  });

  test("can be opened repeatedly, and ends at the recorded length", async () => {
    const path = written("c.iso", "0123456789");
    const file = localFile(await fingerprint(path, null), silent);
    writeFileSync(path, "0123456789 and more");
    for (const _ of [1, 2]) expect((await buffer(file.open())).toString()).toBe("0123456789");
  });

  test.each([
    ["is missing", () => "nowhere.iso", /cannot be read: there is no such file/],
    ["is a folder", () => folder, /is not a file/],
    ["is empty", () => written("empty.iso", ""), /is empty/],
    ["begins with ~", () => "~/x.iso", /pathexpand/],
  ])("is refused when it %s", async (_, path, message) => {
    await expect(fingerprint(path(), null)).rejects.toThrow(message);
  });
});
