import { expect, test } from "vitest";
import { startedByTerraform } from "../terraform/workspace.ts";
import { describeOnEachBinary } from "./suite.ts";

describeOnEachBinary("secrets", ({ workspace }) => {
  const secret = (password: string, version: number, hint = "a-hint") =>
    `resource "corner_secret" "a" {\n  password = "${password}"\n  password_version = ${version}\n  hint = "${hint}"\n}`;

  test("that are write-only reach the provider but never the state", async () => {
    using terraform = workspace(secret("hunter2", 1));
    expect(await terraform.apply()).toMatchObject({ code: 0, diagnostics: [] });
    expect(terraform.stored("secret")).toMatchObject([{ password: "hunter2" }]);
    expect(terraform.read("terraform.tfstate")).not.toContain("hunter2");
    expect(await terraform.plan("-out=plan")).toMatchObject({ code: 0, changes: {} });
  });

  test("are sent again when their version is raised, and only then", async () => {
    using terraform = workspace(secret("hunter2", 1));
    await terraform.apply();
    terraform.configure(secret("hunter3", 1));
    expect(await terraform.plan(), "the version is the same").toMatchObject({ code: 0, changes: {} });
    terraform.configure(secret("hunter3", 1, "another"));
    expect(await terraform.apply()).toMatchObject({ code: 0, diagnostics: [] });
    terraform.configure(secret("hunter4", 2, "another"));
    expect(await terraform.apply()).toMatchObject({ code: 0, diagnostics: [] });
    expect(terraform.journal()).toEqual(["password kept", "password sent"]);
    expect(terraform.stored("secret")).toMatchObject([{ password: "hunter4", hint: "another" }]);
  });

  test("that are stored are never shown", async () => {
    using terraform = workspace(secret("hunter2", 1, "plain-as-day"));
    const plan = await terraform.run(["plan", "-no-color"]);
    expect(plan.stdout).toMatch(/hint\s+= \(sensitive value\)/);
    expect(plan.stdout).not.toContain("plain-as-day");
  });

  test("never appear in the log", async () => {
    using terraform = startedByTerraform(workspace(secret("hunter2-hunter2", 1, "plain-as-day")));
    const log = terraform.write("provider.log", "");
    terraform.env["TF_LOG_PROVIDER"] = "TRACE";
    terraform.env["TF_LOG_PATH"] = log;
    terraform.env["CORNER_LOG_LEVEL"] = "debug";
    await terraform.apply();
    expect(terraform.read("provider.log")).toContain("provider.corner");
    expect(terraform.read("provider.log")).not.toMatch(/hunter2|plain-as-day/);
  });

  test("that are ephemeral are opened when needed, closed at the end and never stored", async () => {
    using terraform = workspace(`
      ephemeral "corner_token" "t" {
        user = "ops"
      }
      resource "corner_secret" "a" {
        password         = ephemeral.corner_token.t.token
        password_version = 1
      }
    `);
    expect(await terraform.apply()).toMatchObject({ code: 0, diagnostics: [] });
    expect(terraform.stored("secret")).toMatchObject([{ password: "token-of-ops" }]);
    expect(terraform.read("terraform.tfstate")).not.toContain("token-of-ops");
    const opened = terraform.journal().filter((line) => line === "token opened for ops");
    const closed = terraform.journal().filter((line) => line === "token closed for ops");
    expect(opened.length).toBeGreaterThan(0);
    expect(closed).toHaveLength(opened.length);
  });
});
