import { expect, test } from "vitest";
import { startedByTerraform } from "../terraform/workspace.ts";
import { describeOnEachBinary } from "./suite.ts";

describeOnEachBinary("failures", ({ workspace }) => {
  const fragile = (stage: string, manner: string, note = "n") =>
    `resource "corner_fragile" "a" {\n  fails_at = "${stage}"\n  manner = "${manner}"\n  note = "${note}"\n}`;

  test("after the object was created taint it, and the next run replaces it", async () => {
    using terraform = workspace(fragile("settle", "failure"));
    const failed = await terraform.apply();
    expect(failed.code).toBe(1);
    expect(failed.diagnostics).toMatchObject([{ summary: "Unable to settle", address: "corner_fragile.a" }]);
    expect(terraform.stored("fragile")).toHaveLength(1);
    expect((await terraform.resources())["corner_fragile.a"]).toMatchObject({ tainted: true });
    terraform.write("store/cured", "");
    expect((await terraform.plan()).changes).toEqual({ "corner_fragile.a": { action: "replace", reason: "tainted" } });
    expect(await terraform.apply()).toMatchObject({ code: 0, diagnostics: [] });
    expect(terraform.stored("fragile")).toHaveLength(1);
    expect(await terraform.plan()).toMatchObject({ code: 0, changes: {} });
  });

  test("before the object was created leave nothing behind", async () => {
    using terraform = workspace(fragile("create", "failure"));
    expect(await terraform.apply()).toMatchObject({ code: 1 });
    expect(await terraform.resources()).toEqual({});
    expect(terraform.stored("fragile")).toEqual([]);
  });

  test("of an update keep the object and its state", async () => {
    using terraform = workspace(fragile("update", "failure"));
    await terraform.apply();
    terraform.configure(fragile("update", "failure", "changed"));
    expect(await terraform.apply()).toMatchObject({ code: 1, diagnostics: [{ summary: "Unable to update" }] });
    expect((await terraform.resources())["corner_fragile.a"]).toMatchObject({ values: { note: "n" } });
    terraform.write("store/cured", "");
    expect(await terraform.apply()).toMatchObject({ code: 0, diagnostics: [] });
    expect(terraform.stored("fragile")).toMatchObject([{ note: "changed" }]);
  });

  test("of a deletion keep the object", async () => {
    using terraform = workspace(fragile("delete", "failure"));
    await terraform.apply();
    expect(await terraform.destroy()).toMatchObject({ code: 1, diagnostics: [{ summary: "Unable to delete" }] });
    expect(Object.keys(await terraform.resources())).toEqual(["corner_fragile.a"]);
  });

  test("point at the line that causes them", async () => {
    using terraform = workspace(fragile("validate", "failure"));
    const { diagnostics } = await terraform.validate();
    expect(diagnostics).toMatchObject([{ summary: "Unable to validate", range: { start: { line: 2 } } }]);
  });

  test.each(["validate", "plan", "create", "settle", "read", "delete"])(
    "that are a bug in %s are reported as one, and other resources are not affected",
    async (stage) => {
      const hcl = `${fragile(stage, "bug")}\nresource "corner_thing" "other" {\n  name = "other"\n}`;
      using terraform = startedByTerraform(workspace(hcl));
      const applied = await terraform.apply();
      const { code, diagnostics } = stage === "delete" ? await terraform.destroy() : applied;
      expect(code).toBe(1);
      const errors = diagnostics.filter(({ severity }) => severity === "error");
      expect(errors).toHaveLength(1);
      expect(`${errors[0]?.summary} ${errors[0]?.detail}`).toMatch(/bug in the provider/i);
      expect(`${errors[0]?.summary} ${errors[0]?.detail}`).toContain("went wrong unexpectedly");
      const survives = stage === "create" || stage === "settle" || stage === "read";
      if (survives) expect(Object.keys(await terraform.resources())).toContain("corner_thing.other");
      expect(terraform.providers()).toEqual([]);
    },
  );

  test("because of a timeout name it", async () => {
    using terraform = workspace('resource "corner_slow" "a" {\n  seconds = 60\n  timeouts = { create = "1s" }\n}');
    const begun = Date.now();
    const { code, diagnostics } = await terraform.apply();
    expect(code).toBe(1);
    expect(Date.now() - begun).toBeLessThan(30_000);
    expect(`${diagnostics[0]?.summary} ${diagnostics[0]?.detail}`).toMatch(/time|1s/i);
    expect((await terraform.resources())["corner_slow.a"]).toMatchObject({ tainted: true });
  });

  test("of the configuration are found before anything is changed", async () => {
    using terraform = workspace(`
      resource "corner_judging" "a" {
        name = "forbidden"
      }
      resource "corner_thing" "b" {
        name = "b"
        size = -1
      }
      resource "corner_inheriting" "c" {
        memory = "lots"
      }
    `);
    const { diagnostics } = await terraform.validate();
    expect(diagnostics.map(({ address, detail }) => `${address}: ${detail}`).sort()).toMatchObject([
      expect.stringContaining("corner_inheriting.c: "),
      "corner_judging.a: Choose another name.",
      expect.stringContaining("corner_thing.b: "),
    ]);
  });
});
