import { expect, test } from "vitest";
import { isAtLeast } from "../../src/cli/terraform-binaries.ts";
import { describeOnEachBinary } from "./suite.ts";

describeOnEachBinary("an existing object", ({ binary, workspace }) => {
  const pair = 'resource "corner_pair" "a" {\n  region = "north"\n  name   = "lights"\n  weight = 7\n}\n';

  test("is imported by its id, and the plan after that is empty", async () => {
    using terraform = workspace(pair);
    await terraform.apply();
    await terraform.run(["state", "rm", "corner_pair.a"]);
    const imported = await terraform.import("corner_pair.a", "north/lights");
    expect(imported.stderr).toBe("");
    expect(imported.code).toBe(0);
    expect(await terraform.plan()).toMatchObject({ code: 0, changes: {} });
  });

  test.runIf(isAtLeast(binary, { terraform: "1.12.0", tofu: "1.12.0" }))("is imported by its identity", async () => {
    using terraform = workspace(pair);
    await terraform.apply();
    await terraform.run(["state", "rm", "corner_pair.a"]);
    const block =
      'import {\n  to = corner_pair.a\n  identity = {\n    region = "north"\n    name   = "lights"\n  }\n}\n';
    terraform.configure(pair + block);
    const plan = await terraform.plan();
    expect(plan.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(await terraform.apply()).toMatchObject({ code: 0 });
    terraform.configure(pair);
    expect(await terraform.plan()).toMatchObject({ code: 0, changes: {} });
  });

  test("is not found by a wrong id", async () => {
    using terraform = workspace(pair);
    expect(await terraform.import("corner_pair.a", "north/nowhere")).toMatchObject({ code: 1 });
    expect(await terraform.import("corner_pair.a", "nonsense")).toMatchObject({ code: 1 });
  });

  test("gets a generated configuration", async () => {
    using terraform = workspace(pair);
    await terraform.apply();
    await terraform.run(["state", "rm", "corner_pair.a"]);
    terraform.configure('import {\n  to = corner_pair.a\n  id = "north/lights"\n}\n');
    const plan = await terraform.plan("-generate-config-out=generated.tf");
    expect(plan.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(terraform.read("generated.tf")).toMatch(/weight\s+= 7/);
    expect(await terraform.apply()).toMatchObject({ code: 0 });
    expect(await terraform.plan()).toMatchObject({ code: 0, changes: {} });
  });

  test("moves to another type without a change", async () => {
    using terraform = workspace('resource "corner_thing" "old" {\n  name = "one"\n  size = 4\n}');
    await terraform.apply();
    const [before] = terraform.stored("thing");
    terraform.configure(
      'resource "corner_successor" "new" {\n  title = "one"\n  amount = 4\n}\nmoved {\n  from = corner_thing.old\n  to = corner_successor.new\n}',
    );
    expect(await terraform.apply()).toMatchObject({ code: 0, diagnostics: [] });
    expect(terraform.stored("thing")).toEqual([before]);
    expect((await terraform.resources())["corner_successor.new"]?.values).toMatchObject({
      id: before?.["id"],
      amount: 4,
    });
    expect(await terraform.plan()).toMatchObject({ code: 0, changes: {} });
  });

  test("moves here from a built-in type of Terraform", async () => {
    using terraform = workspace('resource "terraform_data" "old" {\n  input = "one"\n}');
    await terraform.apply();
    const id = (await terraform.resources())["terraform_data.old"]?.values["id"];
    terraform.store.put("thing", String(id), { id, name: "one", size: null, note: null, revision: 1, label: "x" });
    terraform.configure(
      'resource "corner_thing" "new" {\n  name = "one"\n}\nmoved {\n  from = terraform_data.old\n  to = corner_thing.new\n}',
    );
    expect(await terraform.apply()).toMatchObject({ code: 0, diagnostics: [] });
    expect((await terraform.resources())["corner_thing.new"]?.values).toMatchObject({ id, name: "one" });
    expect(await terraform.plan()).toMatchObject({ code: 0, changes: {} });
  });

  test.each([
    { version: 0, attributes: { id: "x1", label: "one", amount: "4" } },
    { version: 1, attributes: { id: "x1", name: "one", amount: "4" } },
  ])("is read from a state of version $version", async ({ version, attributes }) => {
    using terraform = workspace('resource "corner_successor" "a" {\n  title = "one"\n  amount = 4\n}');
    await terraform.apply();
    const [stored] = terraform.stored("successor");
    const state = JSON.parse(terraform.read("terraform.tfstate"));
    const [instance] = state.resources[0].instances;
    instance.schema_version = version;
    instance.attributes = { ...attributes, id: stored?.["id"] };
    delete instance.identity;
    terraform.write("terraform.tfstate", JSON.stringify({ ...state, serial: state.serial + 1 }));
    const plan = await terraform.plan();
    expect(plan.diagnostics).toEqual([]);
    expect(plan).toMatchObject({ code: 0, changes: {} });
  });
});
