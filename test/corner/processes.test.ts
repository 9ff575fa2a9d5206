import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { clientCertificate } from "../harness/client-certificate.ts";
import { launch } from "../harness/index.ts";
import { Wire } from "../harness/wire.ts";
import { eventually } from "../terraform/processes.ts";
import { startedByTerraform } from "../terraform/workspace.ts";
import { buildCorner } from "./build-corner.ts";
import { type CornerWorkspace, describeOnEachBinary, twoProviders } from "./suite.ts";

const slow = 'resource "corner_slow" "a" {\n  seconds = 300\n}';
const hasBegun = (terraform: CornerWorkspace) => () => terraform.journal().some((line) => line.endsWith("begun"));

describeOnEachBinary("processes", ({ workspace: attached, plugin }) => {
  const workspace = (hcl: string) => startedByTerraform(attached(hcl));

  test("stop at Ctrl-C, with the state saved and no process left", async () => {
    using terraform = workspace(slow);
    const running = terraform.start(["apply", "-json", "-auto-approve", "-input=false"]);
    await eventually("the creation has begun", hasBegun(terraform), 30_000);
    running.signalGroup("SIGINT");
    const { code, diagnostics } = await running.outcome;
    expect(code).toBe(1);
    expect(diagnostics.filter(({ severity }) => severity === "error")).not.toEqual([]);
    expect((await terraform.resources())["corner_slow.a"]).toMatchObject({ tainted: true });
    expect(terraform.journal().some((line) => line.endsWith("done"))).toBe(false);
    expect(terraform.providers()).toEqual([]);
  });

  test("finish at Ctrl-C what cannot be stopped, since only Terraform ends them", async () => {
    using terraform = workspace('resource "corner_slow" "a" {\n  seconds  = 4\n  stubborn = true\n}');
    const running = terraform.start(["apply", "-json", "-auto-approve", "-input=false"]);
    await eventually("the creation has begun", hasBegun(terraform), 30_000);
    running.signalGroup("SIGINT");
    await running.outcome;
    expect(terraform.journal().some((line) => line.endsWith("done"))).toBe(true);
    expect(Object.keys(await terraform.resources())).toEqual(["corner_slow.a"]);
    expect(terraform.providers()).toEqual([]);
  });

  test("end when Terraform is killed", async () => {
    using terraform = workspace(slow);
    const running = terraform.start(["apply", "-json", "-auto-approve", "-input=false"]);
    await eventually("the creation has begun", hasBegun(terraform), 30_000);
    expect(terraform.providers()).not.toEqual([]);
    running.process.kill("SIGKILL");
    await eventually("no provider is left", () => terraform.providers().length === 0, 5_000);
    await running.outcome;
  });

  test("serve several providers at once when they are debugged", async () => {
    using terraform = workspace(twoProviders);
    const provider = spawn(plugin().path, ["--debug"], {
      env: { ...process.env, CORNER_FOLDER: terraform.store.folder },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [line] = await once(createInterface({ input: provider.stdout }), "line");
    const [, reattach = ""] = /TF_REATTACH_PROVIDERS='(.*)'/.exec(String(line)) ?? [];
    terraform.env["TF_REATTACH_PROVIDERS"] = reattach;
    expect(await terraform.apply()).toMatchObject({ code: 0 });
    const labels = Object.fromEntries(terraform.stored("thing").map(({ name, label }) => [name, label]));
    expect(labels).toEqual({ a: "left", b: "right" });
    expect(await terraform.plan()).toMatchObject({ code: 0, changes: {} });
    expect(await terraform.destroy()).toMatchObject({ code: 0 });
    expect(provider.exitCode).toBeNull();
    provider.kill("SIGINT");
    expect(await once(provider, "exit")).toEqual([0, null]);
  });

  test("do not encrypt when Terraform asks for it", async () => {
    using terraform = workspace('resource "corner_thing" "a" {\n  name = "one"\n}');
    terraform.env["TF_DISABLE_PLUGIN_TLS"] = "1";
    expect(await terraform.apply()).toMatchObject({ code: 0, diagnostics: [] });
  });

  test("have their log lines shown at their level", async () => {
    using terraform = workspace('resource "corner_thing" "a" {\n  name = "one"\n}');
    const { stderr } = await terraform.run(["apply", "-auto-approve"], { TF_LOG_PROVIDER: "INFO" });
    expect(stderr).toMatch(/\[INFO\]\s+provider\.terraform-provider-corner: creating a thing:.*name=one/);
    expect(stderr).not.toContain("[DEBUG]");
  });
});

test("a provider refuses clients without Terraform's certificate", async () => {
  const plugin = await buildCorner();
  const provider = await launch([plugin.path], { client: clientCertificate() });
  const { credentials } = await import("@grpc/grpc-js");
  const stranger = clientCertificate();
  const server = Buffer.from(provider.serverCertificate);
  const strangers = {
    "another certificate": credentials.createSsl(server, Buffer.from(stranger.key), Buffer.from(stranger.certificate)),
    "no certificate": credentials.createSsl(server),
    "no TLS at all": credentials.createInsecure(),
  };
  for (const [who, trust] of Object.entries(strangers)) {
    const wire = new Wire(provider.address, trust);
    await expect(wire.call("GetProviderSchema", {}), who).rejects.toThrow("UNAVAILABLE");
    wire.close();
  }
  await expect(provider.wire.call("GetProviderSchema", {})).resolves.toHaveProperty("provider");
  expect(await provider.stop()).toBe(0);
});
