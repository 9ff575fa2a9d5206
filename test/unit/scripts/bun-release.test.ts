import { describe, expect, test } from "vitest";
import locked from "../../../scripts/package/bun-release.json" with { type: "json" };
import { bunExecutable, bunLicense, bunVersion, checkIntegrity } from "../../../scripts/package/bun-release.ts";
import { type Platform, platforms } from "../../../scripts/package/platform.ts";

describe("Bun for the executables", () => {
  test("is locked for every platform", () => {
    expect(Object.keys(locked.integrity).sort()).toEqual(platforms.map(({ bun }) => bun).sort());
    for (const hash of Object.values(locked.integrity)) expect(hash).toMatch(/^sha512-[\w+/]{86}==$/);
  });

  test("is refused if it does not match the lock", () => {
    const empty = "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==";
    expect(() => checkIntegrity("bun", Buffer.alloc(0), empty)).not.toThrow();
    expect(() => checkIntegrity("bun", Buffer.alloc(1), empty)).toThrow(/^bun does not match bun-release\.json/);
  });

  test("is not downloaded if it is not locked", () => {
    const unheardOf: Platform = { os: "linux", arch: "amd64", bun: "@oven/bun-unheard-of" };
    expect(() => bunExecutable(unheardOf)).toThrow("`npm run package -- --lock` adds it");
  });

  test("is named with its licences and its sources", () => {
    expect(bunLicense().text).toContain(`https://github.com/oven-sh/bun/tree/bun-v${bunVersion}`);
  });
});
