import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { defaultSeed, type Simulator, startSimulator } from "#simulator";
import schema from "../../../schema/provider.json" with { type: "json" };
import { findBinaries } from "../../../src/cli/terraform-binaries.ts";
import { sourceAddress } from "../../../src/source-address.ts";
import { Workspace } from "../../terraform/workspace.ts";
import { typed } from "../cli/typed.ts";
import { buildProvider } from "../cluster-workspace.ts";
import { resourcesWithSecrets, Secrets } from "./secret-resources.ts";

interface SchemaAttribute {
  readonly write_only?: boolean;
  readonly sensitive?: boolean;
  readonly nested_type?: { readonly attributes: Readonly<Record<string, SchemaAttribute>> };
}

const [{ resource_schemas: types }] = Object.values(schema.provider_schemas) as unknown as [
  { resource_schemas: Record<string, { block: { attributes: Record<string, SchemaAttribute> } }> },
];

/** Attributes whose values are secrets: `proxmox_vm.cloud_init.password`. */
const secretsIn = (attributes: Readonly<Record<string, SchemaAttribute>>, path: string): string[] =>
  Object.entries(attributes).flatMap(([name, { write_only, sensitive, nested_type }]) => [
    ...(write_only || sensitive ? [`${path}.${name}`] : []),
    ...secretsIn(nested_type?.attributes ?? {}, `${path}.${name}`),
  ]);

/** Documented to be in the state: sensitive, and not write-only. */
const stored = ["header", "user_data", "vendor_data"];

const [binary] = findBinaries();
const password = "S3CRET-of-the-caller";
const secrets = new Secrets();
const resources = resourcesWithSecrets(secrets);

test("every secret of the schema is in the configuration of this test", () => {
  const has = (path: string): boolean => {
    const [type = "", ...names] = path.split(".");
    return Object.values(resources[type] ?? {}).some(
      (one) =>
        names.reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], one) !==
        undefined,
    );
  };
  const all = Object.entries(types).flatMap(([type, { block }]) => secretsIn(block.attributes, type));
  // The value of a token is made by Proxmox VE.
  expect(all.filter((path) => !has(path))).toEqual(["proxmox_token.value"]);
  expect(all.length).toBeGreaterThan(30);
});

describe.skipIf(!binary)("a configuration with every secret", () => {
  let simulator: Simulator;
  let terraform: Workspace;
  /** What the value of the new token is. */
  let token = "not made yet";

  beforeAll(async () => {
    const seed = defaultSeed() as { users: { userid: string }[] };
    const users = seed.users.map((user) => (user.userid === "root@pam" ? { ...user, password } : user));
    simulator = await startSimulator({
      speed: 100,
      seed: { ...seed, users, container_templates: ["local:vztmpl/small.tar.zst"] },
    });
    terraform = new Workspace(binary as NonNullable<typeof binary>, await buildProvider(), sourceAddress);
    const file = (name: string) => join(terraform.folder, name);
    const variable = (name: string) => [name, stored.includes(name) ? { sensitive: true } : { ephemeral: true }];
    terraform.write(
      "main.tf.json",
      JSON.stringify({
        terraform: { required_providers: { proxmox: { source: sourceAddress } } },
        provider: { proxmox: {} },
        variable: Object.fromEntries(Object.keys(secrets.values).map(variable)),
        resource: resources,
      }),
    );
    for (const [name, value] of Object.entries(secrets.values)) terraform.env[`TF_VAR_${name}`] = value;
    Object.assign(terraform.env, {
      PROXMOX_VE_ENDPOINT: simulator.url,
      PROXMOX_VE_CA_CERTIFICATE: terraform.write("ca.pem", simulator.caCertificate),
      PROXMOX_VE_USERNAME: "root@pam",
      PROXMOX_VE_PASSWORD: password,
      TF_LOG: "TRACE",
      TF_LOG_PATH: file("terraform.log"),
      PROXMOX_LOG_LEVEL: "debug",
      PROXMOX_LOG_PATH: file("readable.log"),
      PROXMOX_TRACE_PATH: file("run.jsonl"),
    });
  });
  afterAll(async () => {
    terraform[Symbol.dispose]();
    await simulator.close();
  });

  /** As it is, in JSON, in an address, in base64. */
  const forms = (secret: string): string[] => [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    Buffer.from(secret)
      .toString("base64")
      .replace(/.{0,4}$/, ""),
  ];

  function expectNone(where: string, text: string, allowed: readonly string[] = []): void {
    const all = Object.entries({ ...secrets.values, password, token }).filter(([name]) => !allowed.includes(name));
    const found = all.filter(([, secret]) => forms(secret).some((form) => text.includes(form))).map(([name]) => name);
    expect({ where, found }).toEqual({ where, found: [] });
  }

  test("shows none in state, plan, logs and traces", async () => {
    const applied = await terraform.apply();
    expect(
      applied.diagnostics.flatMap(({ severity, summary, detail }) =>
        severity === "error" ? [`${summary}: ${detail}`] : [],
      ),
    ).toEqual([]);
    expect(applied.code).toBe(0);
    const state = terraform.read("terraform.tfstate");
    token = /"value": ?"([0-9a-f-]{36})"/.exec(state)?.[1] ?? "";
    expect(token).toMatch(/^[0-9a-f-]{36}$/);
    expectNone("the state", state, [...stored, "token"]);
    expectNone("what Terraform prints", applied.stdout + applied.stderr);
    expectNone("the trace", terraform.read("run.jsonl"));
    expectNone("the lines for people", terraform.read("readable.log"));
    expectNone("the lines for Terraform", terraform.read("terraform.log"), []);
    const { stdout } = await terraform.run(["plan", "-no-color", "-out=saved", "-input=false"]);
    expectNone("the plan", stdout + JSON.stringify(await terraform.show("saved")), [...stored, "token"]);
  });

  test.each([
    ["export", ["export", "--out", "cluster.json"]],
    ["adopt", ["adopt", "--out", "infra"]],
    ["drift from an export", ["drift", "--since", "cluster.json"]],
    ["drift from the state", ["drift", "--state", "terraform.tfstate"]],
    ["rehearse", ["rehearse", "--json"]],
    ["timeline", ["timeline", "run.jsonl"]],
  ])("shows none in what the commands print and write: %s", async (_, args) => {
    const { folder, env } = terraform;
    const before = new Set(readdirSync(folder, { recursive: true }) as string[]);
    const { TF_LOG: _log, TF_LOG_PATH: _path, ...quiet } = env;
    const plugin = await buildProvider();
    const { stdout, stderr } = await typed({ plugin, simulator, proxy: simulator, folder, env: quiet }, args);
    const written = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((one) => one.isFile() && !before.has(join(one.parentPath, one.name).slice(folder.length + 1)))
      .map((one) => readFileSync(join(one.parentPath, one.name), "utf8"));
    expect(stdout.length + written.length, stderr).toBeGreaterThan(0);
    expectNone(args.join(" "), [stdout, stderr, ...written].join("\n"));
  });
});
