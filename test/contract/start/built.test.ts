import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { registry } from "../../../src/registry.ts";
import { clientCertificate } from "../../harness/client-certificate.ts";
import { Core, launch } from "../../harness/index.ts";

const root = join(import.meta.dirname, "../../..");
const dist = mkdtempSync(join(tmpdir(), "dist-"));
const client = clientCertificate();

beforeAll(() => {
  execFileSync(process.execPath, [join(root, "scripts/build.ts"), dist], { stdio: "pipe" });
});
afterAll(() => rmSync(dist, { recursive: true, force: true }));

test("the built provider has the same schema as the sources", async () => {
  const built = await launch([join(dist, "terraform-provider-proxmox")], { client });
  const sources = await launch([process.execPath, join(root, "src/main.ts")], { client });
  for (const call of ["GetMetadata", "GetProviderSchema", "GetResourceIdentitySchemas", "GetFunctions"] as const) {
    expect(await built.wire.call(call, {}), call).toEqual(await sources.wire.call(call, {}));
  }
  const { resourceTypes } = await Core.connect(built.wire);
  expect(resourceTypes).toEqual(Object.keys(registry.resources));
  expect(await Promise.all([built.stop(), sources.stop()])).toEqual([0, 0]);
});

test("the built provider is a command-line tool", () => {
  const { TF_PLUGIN_MAGIC_COOKIE: _, ...env } = process.env;
  const stdout = execFileSync(join(dist, "terraform-provider-proxmox"), ["--help"], { encoding: "utf8", env });
  expect(stdout).toContain("simulate");
});
