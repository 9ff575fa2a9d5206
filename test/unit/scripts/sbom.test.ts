import { expect, test } from "vitest";
import { sbom } from "../../../scripts/package/sbom.ts";

const licensed = (name: string, version: string) => ({ name, version, license: "MIT", text: "" });

test("the bill of materials names the program, its runtime, and every package", () => {
  const contents = [licensed("program", "1.0.0"), licensed("bun", "1.4.4"), licensed("@scope/package", "2.0.0")];
  const { metadata, components } = JSON.parse(sbom(contents)) as {
    metadata: { component: unknown };
    components: { type: string; purl: string }[];
  };
  expect(metadata.component).toMatchObject({ type: "application", name: "program", version: "1.0.0" });
  expect(components).toMatchObject([
    { type: "platform", purl: "pkg:npm/bun@1.4.4" },
    { type: "library", purl: "pkg:npm/%40scope/package@2.0.0" },
  ]);
  expect(sbom(contents)).toBe(sbom(contents));
  expect(() => sbom([licensed("program", "1.0.0")])).toThrow("its runtime");
});
