import { describe, expect, test } from "vitest";
import packageJson from "../../../package.json" with { type: "json" };
import { checkIntegrity, isLocked, nodeExecutable, nodeVersion } from "../../../scripts/package/node-release.ts";
import { nameOf, type Platform, platforms } from "../../../scripts/package/platform.ts";

describe("Node for the executables", () => {
  test("is the version of this repository", () => {
    expect(nodeVersion).toBe(packageJson.dependencies.node);
  });

  test("is locked for the platforms of the tests and of most users", () => {
    expect(platforms.filter(isLocked).map(nameOf)).toEqual(
      expect.arrayContaining(["linux_amd64", "linux_arm64", "windows_amd64"]),
    );
  });

  test("is refused if it does not match the lock", () => {
    const empty = "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==";
    expect(() => checkIntegrity("node", Buffer.alloc(0), empty)).not.toThrow();
    expect(() => checkIntegrity("node", Buffer.alloc(1), empty)).toThrow(/^node does not match node-release\.json/);
  });

  test("is not downloaded if it is not locked", () => {
    const unheardOf: Platform = { os: "linux", arch: "amd64", node: "node-linux-unheard-of" };
    expect(() => nodeExecutable(unheardOf)).toThrow("`npm run package -- --lock` adds it");
  });
});
