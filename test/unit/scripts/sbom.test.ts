import { expect, test } from "vitest";
import { sbom } from "../../../scripts/package/sbom.ts";

const licensed = (name: string, version: string) => ({ name, version, license: "MIT", text: "" });

test("the bill of materials names the program, Node with its parts, and every package", () => {
  const contents = [licensed("program", "1.0.0"), licensed("node", "24.0.0"), licensed("@scope/package", "2.0.0")];
  const parts = { ...process.versions, node: "24.0.0", openssl: "3.5.0" };
  const { metadata, components } = JSON.parse(sbom(contents, parts)) as {
    metadata: { component: unknown };
    components: { name: string; purl: string; components?: { name: string; version: string }[] }[];
  };
  expect(metadata.component).toMatchObject({ type: "application", name: "program", version: "1.0.0" });
  expect(components.map(({ purl }) => purl)).toEqual(["pkg:npm/node@24.0.0", "pkg:npm/%40scope/package@2.0.0"]);
  const inside = components[0]?.components ?? [];
  expect(inside).toContainEqual(expect.objectContaining({ name: "openssl", version: "3.5.0" }));
  expect(inside.map(({ name }) => name)).toEqual(expect.arrayContaining(["v8", "uv", "zlib"]));
  expect(sbom(contents, parts)).toBe(sbom(contents, parts));
});
