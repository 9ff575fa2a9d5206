import { expect, test } from "vitest";
import { describeOnEachBinary } from "./suite.ts";

describeOnEachBinary("functions and data sources", ({ workspace }) => {
  test("return their values", async () => {
    using terraform = workspace(`
      resource "corner_thing" "a" {
        name = "one"
      }
      data "corner_thing" "a" {
        id = corner_thing.a.id
      }
      output "name" {
        value = data.corner_thing.a.name
      }
      output "label" {
        value = provider::corner::label("-", "x", data.corner_thing.a.name, "z")
      }
    `);
    expect(await terraform.apply()).toMatchObject({ code: 0, diagnostics: [] });
    expect(await terraform.outputs()).toEqual({ name: "one", label: "x-one-z" });
    expect(await terraform.plan()).toMatchObject({ code: 0, changes: {} });
  });

  test("refuse an argument by its position", async () => {
    using terraform = workspace('output "label" {\n  value = provider::corner::label("", "x")\n}');
    const { code, diagnostics } = await terraform.plan();
    expect(code).toBe(1);
    expect(diagnostics.map(({ detail }) => detail).join()).toMatch(/separator.*must not be empty/s);
  });

  test("report an object that does not exist", async () => {
    using terraform = workspace('data "corner_thing" "a" {\n  id = "nowhere"\n}');
    const { code, diagnostics } = await terraform.plan();
    expect(code).toBe(1);
    expect(diagnostics).toMatchObject([{ severity: "error", address: "data.corner_thing.a" }]);
  });
});
