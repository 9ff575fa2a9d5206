import { expect, test } from "vitest";
import { describeOnEachBinary } from "./suite.ts";

const inheriting = (body: string) => `resource "corner_inheriting" "a" {\n${body}\n}`;

describeOnEachBinary("an argument that is removed from the configuration", ({ workspace }) => {
  test("is undone, and nothing else is", async () => {
    using terraform = workspace(inheriting('  cores = 8\n  memory = "8G"\n  display = { depth = 24 }'));
    await terraform.apply();
    terraform.configure(inheriting('  memory = "8G"'));
    expect(await terraform.plan()).toMatchObject({ code: 2, changes: { "corner_inheriting.a": { action: "update" } } });
    expect(await terraform.apply()).toMatchObject({ code: 0, diagnostics: [] });
    expect(terraform.stored("inheriting")).toMatchObject([
      { cores: 2, memory: "8G", display: { kind: "serial", depth: 8 } },
    ]);
    expect(await terraform.plan()).toMatchObject({ code: 0, changes: {}, diagnostics: [] });
  });

  test("keeps its value while it is ignored, and is undone once it is not", async () => {
    using terraform = workspace(inheriting("  cores = 8"));
    await terraform.apply();
    terraform.configure(inheriting("  lifecycle {\n    ignore_changes = [cores]\n  }"));
    expect(await terraform.plan()).toMatchObject({ code: 0, changes: {}, diagnostics: [] });
    terraform.changeOutside("inheriting", { cores: 6 });
    expect(await terraform.plan()).toMatchObject({ code: 0, changes: {} });
    terraform.configure(inheriting('  memory = "4G"\n  lifecycle {\n    ignore_changes = [cores]\n  }'));
    expect(await terraform.apply()).toMatchObject({ code: 0, diagnostics: [] });
    expect(terraform.stored("inheriting")).toMatchObject([{ cores: 6, memory: "4G" }]);
    terraform.configure(inheriting('  memory = "4G"'));
    await terraform.apply();
    expect(terraform.stored("inheriting")).toMatchObject([{ cores: 2, memory: "4G" }]);
  });
});
