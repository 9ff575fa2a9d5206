import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decode } from "@msgpack/msgpack";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Simulator, startSimulator } from "#simulator";
import { run } from "../../../src/cli/drift/drift.ts";
import { LocalProvider } from "../../../src/cli/local-provider.ts";
import { registry } from "../../../src/registry.ts";
import { sourceAddress } from "../../../src/source-address.ts";
import { type, variablesFor } from "./person.ts";
import { richSeed } from "./rich-seed.ts";

type Attributes = Record<string, unknown>;

let simulator: Simulator;
let folder: string;
const found = new Map<string, Attributes[]>();
/** As root with a password: only this caller may read the accounts of ACME. */
const env = () => {
  const { PROXMOX_VE_API_TOKEN: _, ...where } = variablesFor(simulator);
  return { ...where, PROXMOX_VE_USERNAME: "root@pam", PROXMOX_VE_PASSWORD: "proxmox" };
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "drift-state-"));
  const users = (richSeed["users"] as { userid: string }[]).map((user) =>
    user.userid === "root@pam" ? { ...user, password: "proxmox" } : user,
  );
  simulator = await startSimulator({ speed: 100, seed: { ...richSeed, users } });
  const provider = await LocalProvider.open(env());
  for (const [name, load] of Object.entries(registry.listResources)) {
    const filters = Object.keys((await load()).attributes);
    const states: Attributes[] = [];
    for await (const { state } of provider.list(name, filters)) {
      if (state.msgpack !== undefined) states.push(decode(state.msgpack) as Attributes);
    }
    if (states.length > 0) found.set(name, states);
  }
  await provider.close();
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await simulator.close();
});

/** A state file with all objects, as `terraform apply` would have left it. */
function stateFile(change: (attributes: Attributes, type: string) => Attributes): string {
  const resources = [...found].map(([name, states]) => ({
    mode: "managed",
    type: name,
    name: "all",
    provider: `provider["${sourceAddress}"]`,
    instances: states.map((attributes, index) => ({
      index_key: index,
      schema_version: 0,
      attributes: change(attributes, name),
    })),
  }));
  const file = join(folder, "terraform.tfstate");
  writeFileSync(file, JSON.stringify({ version: 4, terraform_version: "1.11.4", resources }));
  return file;
}

it("finds no drift in an object of any type that has not changed", async () => {
  expect(found.size).toBeGreaterThan(30);
  expect(await type(run, ["--state", stateFile((attributes) => attributes)], env())).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^No drift\. \d{2,} objects were compared\.\n$/),
  });
});

it("finds a changed description or comment in an object of each type that has one", async () => {
  const texts = ["comment", "description", "notes"];
  const changed = new Set<string>();
  const file = stateFile((attributes, name) => {
    const key = texts.find((text) => Object.hasOwn(attributes, text));
    if (key === undefined) return attributes;
    changed.add(name);
    return { ...attributes, [key]: "as it was applied" };
  });
  const { code, stdout } = await type(run, ["--state", file], env());
  expect(code).toBe(2);
  const shown = new Set([...stdout.matchAll(/^changed: (\w+)\.all\[/gm)].map(([, name]) => name));
  expect([...shown].sort()).toEqual([...changed].sort());
  expect(changed.size).toBeGreaterThan(15);
});
