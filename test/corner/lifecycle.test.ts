import { expect, test } from "vitest";
import { startedByTerraform } from "../terraform/workspace.ts";
import { describeOnEachBinary, twoProviders } from "./suite.ts";

describeOnEachBinary("the lifecycle of a resource", ({ workspace }) => {
  test("is created, planned without changes, updated in place and destroyed", async () => {
    using terraform = workspace('resource "corner_thing" "a" {\n  name = "one"\n  size = 3\n}');
    const created = await terraform.apply();
    expect(created.diagnostics).toEqual([]);
    expect(created.code).toBe(0);
    expect(terraform.stored("thing")).toMatchObject([{ name: "one", size: 3, revision: 1 }]);
    expect(await terraform.plan()).toMatchObject({ code: 0, changes: {} });

    terraform.configure('resource "corner_thing" "a" {\n  name = "two"\n  note = "n"\n}');
    expect(await terraform.plan()).toMatchObject({ code: 2, changes: { "corner_thing.a": { action: "update" } } });
    expect(await terraform.apply()).toMatchObject({ code: 0 });
    expect(terraform.stored("thing")).toMatchObject([{ name: "two", size: null, note: "n", revision: 2 }]);
    expect(await terraform.plan()).toMatchObject({ code: 0, changes: {} });

    expect(await terraform.destroy()).toMatchObject({ code: 0 });
    expect(terraform.stored("thing")).toEqual([]);
  });

  test("is corrected after an outside change, and created again after an outside deletion", async () => {
    using terraform = workspace('resource "corner_thing" "a" {\n  name = "one"\n}');
    await terraform.apply();
    terraform.changeOutside("thing", { name: "other" });
    expect(await terraform.plan()).toMatchObject({ code: 2, changes: { "corner_thing.a": { action: "update" } } });
    await terraform.apply();
    expect(terraform.stored("thing")).toMatchObject([{ name: "one", revision: 2 }]);
    terraform.changeOutside("thing", null);
    expect(await terraform.plan()).toMatchObject({ code: 2, changes: { "corner_thing.a": { action: "create" } } });
  });

  const replaced = (more: string) => `resource "corner_replaced" "a" {\n  kind = "k"\n  version = "2"\n  ${more}\n}`;
  test.each([
    { change: 'zone = "north"', why: "an attribute that cannot change", warning: "A thing cannot leave its zone." },
    { change: 'zone = "south"\n  version = "1"', why: "a value that may only grow", warning: undefined },
  ])("is replaced because of $why", async ({ change, warning }) => {
    using terraform = workspace(replaced('zone = "south"'));
    await terraform.apply();
    const [{ id } = { id: "" }] = terraform.stored("replaced");
    terraform.configure(replaced(change).replace(/version = "2"\n(.*version)/s, "$1"));
    const plan = await terraform.plan();
    expect(plan.changes).toEqual({ "corner_replaced.a": { action: "replace", reason: "cannot_update" } });
    const warnings = plan.diagnostics.map(({ detail }) => detail).join("\n");
    if (warning) expect(warnings).toContain(warning);
    await terraform.apply();
    expect(terraform.stored("replaced")).toHaveLength(1);
    expect(terraform.stored("replaced")).not.toMatchObject([{ id }]);
    expect(await terraform.plan()).toMatchObject({ code: 0, changes: {} });
  });

  test("is updated in place by attributes that allow it", async () => {
    using terraform = workspace(replaced('zone = "south"'));
    await terraform.apply();
    terraform.configure(replaced('zone = "south"\n  note = "n"').replace('version = "2"', 'version = "3"'));
    expect(await terraform.plan()).toMatchObject({ code: 2, changes: { "corner_replaced.a": { action: "update" } } });
  });

  test("is examined by the plan hook before the plan is shown", async () => {
    using terraform = workspace(
      'resource "corner_judging" "a" {\n  name = "one"\n}\noutput "digest" {\n  value = corner_judging.a.digest\n}',
    );
    const plan = await terraform.plan("-out=plan");
    expect(plan.diagnostics).toEqual([]);
    const { planned_values: planned } = JSON.parse((await terraform.run(["show", "-json", "plan"])).stdout);
    expect(planned.outputs.digest.value).toMatch(/^[0-9a-f]{12}$/);
    await terraform.apply();
    terraform.configure('resource "corner_judging" "a" {\n  name = "two"\n  old_name = "one"\n}');
    const renamed = await terraform.plan();
    expect(renamed.diagnostics.map(({ severity, summary }) => `${severity}: ${summary}`)).toEqual(
      expect.arrayContaining(["warning: Renamed", "warning: Deprecated attribute"]),
    );
    await terraform.apply();
    expect((await terraform.resources())["corner_judging.a"]?.values).toMatchObject({ renames: "1" });
    expect((await terraform.plan()).changes).toEqual({});
  });

  test("belongs to the provider that its configuration names", async () => {
    using terraform = startedByTerraform(workspace(twoProviders));
    expect(await terraform.apply()).toMatchObject({ code: 0 });
    const labels = Object.fromEntries(terraform.stored("thing").map(({ name, label }) => [name, label]));
    expect(labels).toEqual({ a: "left", b: "right" });
  });
});
