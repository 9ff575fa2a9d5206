import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findBinaries } from "../../../src/cli/terraform-binaries.ts";
import { sourceAddress } from "../../../src/source-address.ts";
import type { PluginBinary } from "../../terraform/plugin-binary.ts";
import { buildProvider } from "../cluster-workspace.ts";
import { openTargetCluster, type TargetCluster } from "../target-cluster.ts";

const root = join(import.meta.dirname, "../../..");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
const place = mkdtempSync(join(tmpdir(), "cdktf-"));
const example = join(place, "examples/cdktf");
const run = (folder: string, ...command: string[]) =>
  execFileSync("npm", command, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

/** The provider in a file system mirror: a stack has a backend, so it needs `init`. */
function mirror({ folder }: PluginBinary): string {
  const path = join(place, "mirror");
  for (const host of ["registry.terraform.io", "registry.opentofu.org"]) {
    const platform = `${process.platform}_${process.arch === "x64" ? "amd64" : process.arch}`;
    const version = join(path, host, "proxmox-ts/proxmox", manifest.version);
    if (existsSync(version)) continue;
    mkdirSync(version, { recursive: true });
    symlinkSync(folder, join(version, platform));
  }
  return `provider_installation {\n  filesystem_mirror {\n    path = ${JSON.stringify(path)}\n  }\n}\n`;
}

/** Follows the example's README in a copy. */
beforeAll(() => {
  run(root, "run", "cdktf");
  const isSource = (path: string) => !/\/(node_modules|build|cdktf\.out)(\/|$)/.test(path);
  cpSync(join(root, "examples/cdktf"), example, { recursive: true, filter: isSource });
  symlinkSync(join(root, "bindings"), join(place, "bindings"));
  run(example, "install");
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

test.each(["cdktn", "cdktf"])("the bindings for %s have every resource and data source", (library) => {
  const schema = JSON.parse(readFileSync(join(root, "schema/provider.json"), "utf8")) as {
    provider_schemas: Record<string, Record<"resource_schemas" | "data_source_schemas", Record<string, object>>>;
  };
  const { resource_schemas: resources, data_source_schemas: dataSources } =
    schema.provider_schemas[sourceAddress] ?? expect.fail();
  const names = [
    ...Object.keys(resources).map((type) => type.replace("proxmox_", "")),
    ...Object.keys(dataSources ?? {}).map((type) => type.replace("proxmox_", "data_proxmox_")),
  ];
  const index = readFileSync(join(root, `bindings/${library}-provider-proxmox/lib/index.d.ts`), "utf8");
  const exported = [...index.matchAll(/export \* as (\w+)/g)].map(([, name]) => name?.toLowerCase());
  expect(exported).toEqual(expect.arrayContaining(names.map((name) => name.replaceAll("_", ""))));
});

test("the example does not compile with a mistake in it", () => {
  const stack = readFileSync(join(example, "main.ts"), "utf8");
  const mistaken = stack.replace("cpu: { cores }", "cpu: { corez: cores }");
  expect(mistaken).not.toBe(stack);
  try {
    writeFileSync(join(example, "main.ts"), mistaken);
    expect(() => run(example, "run", "-s", "types")).toThrow();
  } finally {
    writeFileSync(join(example, "main.ts"), stack);
  }
});

for (const binary of findBinaries()) {
  describe(`the example stack (${binary.name} ${binary.version})`, () => {
    let plugin: PluginBinary;
    let cluster: TargetCluster;
    beforeAll(async () => {
      run(example, "run", "-s", "synth");
      plugin = await buildProvider();
      cluster = await openTargetCluster();
    });
    afterAll(() => cluster.close());

    test("is planned, applied and destroyed", async () => {
      using terraform = cluster.workspace(binary, plugin);
      terraform.env["TF_CLI_CONFIG_FILE"] = terraform.write("mirror.tfrc", mirror(plugin));
      const stack = readFileSync(join(example, "cdktf.out/stacks/cluster/cdk.tf.json"), "utf8");
      terraform.write("cdk.tf.json", stack);
      expect(await terraform.run(["init", "-input=false"])).toMatchObject({ code: 0, stderr: "" });
      expect((await terraform.apply()).diagnostics).toEqual([]);
      // The stack's backend keeps the state elsewhere.
      const { stdout } = await terraform.run(["output", "-json", "vmids"]);
      const vmids = JSON.parse(stdout) as Record<string, number>;
      expect(Object.keys(vmids)).toEqual(["control-1", "worker-1", "worker-2"]);
      expect(await cluster.client.inventory.find("qemu", vmids["worker-2"] ?? 0)).toMatchObject({ name: "worker-2" });
      expect(await terraform.plan()).toMatchObject({ code: 0, changes: {} });
      expect((await terraform.destroy()).diagnostics).toEqual([]);
    });
  });
}
