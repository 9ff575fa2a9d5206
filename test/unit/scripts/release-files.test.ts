import { describe, expect, test } from "vitest";
import { hostPlatform, nameOf, platformNamed, platforms, targetOf } from "../../../scripts/package/platform.ts";
import { executableFile, manifest, manifestFile, sumsFile, zipFile } from "../../../scripts/package/release-files.ts";

describe("a release", () => {
  test.each([
    ["darwin_amd64", "terraform-provider-proxmox_v1.2.3"],
    ["darwin_arm64", "terraform-provider-proxmox_v1.2.3"],
    ["linux_amd64", "terraform-provider-proxmox_v1.2.3"],
    ["linux_arm64", "terraform-provider-proxmox_v1.2.3"],
    ["linux_amd64_musl", "terraform-provider-proxmox_v1.2.3"],
    ["linux_arm64_musl", "terraform-provider-proxmox_v1.2.3"],
    ["windows_amd64", "terraform-provider-proxmox_v1.2.3.exe"],
    ["windows_arm64", "terraform-provider-proxmox_v1.2.3.exe"],
  ])("has for %s a zip with %s in it", (name, executable) => {
    const platform = platformNamed(name);
    expect(zipFile("1.2.3", platform)).toBe(`terraform-provider-proxmox_1.2.3_${name}.zip`);
    expect(executableFile("1.2.3", platform)).toBe(executable);
  });

  test("is for eight platforms, and this is one of them", () => {
    expect(platforms).toHaveLength(8);
    expect(platforms.map(nameOf)).toContain(nameOf(hostPlatform()));
    expect(() => platformNamed("plan9_amd64")).toThrow(
      "plan9_amd64 is not one of darwin_amd64, darwin_arm64, linux_amd64",
    );
  });

  test.each([
    ["darwin_arm64", "bun-darwin-arm64"],
    ["linux_amd64", "bun-linux-x64"],
    ["linux_arm64_musl", "bun-linux-arm64-musl"],
    ["windows_arm64", "bun-windows-arm64"],
  ])("is compiled for %s in the format of %s", (name, target) => {
    expect(targetOf(platformNamed(name))).toBe(target);
  });

  test("names its protocol", () => {
    expect(JSON.parse(manifest)).toEqual({ version: 1, metadata: { protocol_versions: ["6.0"] } });
    expect(manifestFile("1.2.3")).toBe("terraform-provider-proxmox_1.2.3_manifest.json");
    expect(sumsFile("1.2.3")).toBe("terraform-provider-proxmox_1.2.3_SHA256SUMS");
  });
});
