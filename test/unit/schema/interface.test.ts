import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { breakingChanges, type ProviderJson, unannounced } from "./interface-changes.ts";

const root = join(import.meta.dirname, "../../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

test("the interface breaks nothing of the last release that the changelog does not announce", () => {
  const released = JSON.parse(read("schema/released.json")) as ProviderJson;
  const current = JSON.parse(read("schema/provider.json")) as ProviderJson;
  expect(unannounced(breakingChanges(released, current), read("CHANGELOG.md"))).toEqual([]);
});

describe("a change of the interface", () => {
  const attribute = { type: "string", optional: true };
  const whole = (attributes: object, version = 0, more: object = {}): ProviderJson => ({
    provider_schemas: { x: { resource_schemas: { proxmox_x: { version, block: { attributes } } }, ...more } },
  });
  const before = whole({ a: attribute, n: { nested_type: { nesting_mode: "map", attributes: { b: attribute } } } });
  const n = { nested_type: { nesting_mode: "map", attributes: { b: attribute } } };

  test.each<[string, ProviderJson, string]>([
    ["an attribute gone", whole({ n }), "`a` is gone"],
    ["another type", whole({ a: { type: "number", optional: true }, n }), "`a` has another type"],
    ["optional that is required", whole({ a: { type: "string", required: true }, n }), "`a` is required now"],
    ["settable that is not", whole({ a: { type: "string", computed: true }, n }), "`a` cannot be set now"],
    [
      "a nested attribute gone",
      whole({ a: attribute, n: { nested_type: { nesting_mode: "map", attributes: {} } } }),
      "`n.b` is gone",
    ],
    [
      "another nesting",
      whole({ a: attribute, n: { nested_type: { nesting_mode: "list", attributes: { b: attribute } } } }),
      "`n` has another type",
    ],
    [
      "a new attribute that is required",
      whole({ a: attribute, n, c: { type: "string", required: true } }),
      "`c` is new and required",
    ],
    ["a type gone", { provider_schemas: { x: {} } }, "is gone"],
  ])("is found: %s", (_, after, what) => {
    expect(breakingChanges(before, after)).toMatchObject([{ unit: "resource/proxmox_x", what }]);
  });

  test("is found in functions", () => {
    const declared = { size: { return_type: "number", parameters: [{ type: "string" }] } };
    const now = { size: { return_type: "string", parameters: [{ type: "string" }] } };
    expect(breakingChanges(whole({}, 0, { functions: declared }), whole({}, 0, { functions: now }))).toHaveLength(1);
  });

  test("breaks nothing when something is added or loosened", () => {
    const after = whole({ a: attribute, n, c: attribute });
    expect(breakingChanges(before, after)).toEqual([]);
    expect(breakingChanges(whole({ a: { type: "string", required: true } }), whole({ a: attribute }))).toEqual([]);
  });

  test("has to be announced, and stored states upgraded", () => {
    const said = "# Changelog\n\n## Unreleased\n\nBREAKING CHANGES:\n\n- resource/proxmox_x: `a` is gone.\n";
    const silent = "# Changelog\n\n## Unreleased\n\nFEATURES:\n\n- resource/proxmox_x: more.\n";
    const gone = breakingChanges(before, whole({ n }));
    expect(unannounced(gone, silent)).toHaveLength(2);
    expect(unannounced(gone, said)).toEqual(["resource/proxmox_x: `a` is gone, and no state upgrade exists"]);
    expect(unannounced(breakingChanges(before, whole({ n }, 1)), said)).toEqual([]);
  });

  test("is announced in the release it is part of, not in an older one", () => {
    const old = "# Changelog\n\n## Unreleased\n\n## 0.1.0\n\nBREAKING CHANGES:\n\n- resource/proxmox_x: `a` is gone.\n";
    expect(unannounced(breakingChanges(before, whole({ n }, 1)), old)).toHaveLength(1);
  });
});
