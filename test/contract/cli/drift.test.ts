import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Simulator, startSimulator } from "#simulator";
import { run } from "../../../src/cli/drift/drift.ts";
import { run as exportCluster } from "../../../src/cli/export/export.ts";
import { labSeed } from "../simulator/lab.ts";
import { type, variablesFor } from "./person.ts";

let simulator: Simulator;
let folder: string;
let earlier: string;
const env = () => variablesFor(simulator, "root@pam!admin");

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "drift-"));
  earlier = join(folder, "earlier.json");
  const pools = [{ poolid: "web", comment: "servers" }];
  simulator = await startSimulator({ speed: 100, seed: { ...labSeed, pools } });
  expect(await type(exportCluster, ["--out", earlier], env())).toMatchObject({ code: 0 });
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await simulator.close();
});

const drift = (...args: string[]) => type(run, args, env());
const guest = (vmid: number) => simulator.sim.world.guests[vmid] as NonNullable<Simulator["sim"]["world"]["guests"][0]>;

const state = (attributes: object, provider = 'provider["registry.terraform.io/proxmox-ts/proxmox"]') => ({
  version: 4,
  terraform_version: "1.11.4",
  resources: [
    { mode: "managed", type: "proxmox_pool", name: "web", provider, instances: [{ schema_version: 0, attributes }] },
    {
      mode: "managed",
      type: "random_id",
      name: "x",
      provider: 'provider["registry.terraform.io/hashicorp/random"]',
      instances: [],
    },
  ],
});

const stateFile = (content: unknown): string => {
  const file = join(folder, "state.json");
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  return file;
};

describe("drift since an export", () => {
  it("is none on a cluster that has not changed", async () => {
    expect(await drift("--since", earlier)).toMatchObject({ code: 0, stdout: "No drift.\n" });
  });

  it("shows what was added, removed and changed, and not what changes on its own", async () => {
    const { guests, access, storages } = simulator.sim.world;
    const [before, capacity] = [structuredClone(guests), structuredClone(storages["local"]?.capacity)];
    guest(201).config["memory"] = "4096";
    guest(201).config["lock"] = "backup";
    delete guests[200];
    access.pools["fresh"] = { vms: [], storage: [] };
    (storages["local"] as { capacity: object }).capacity = { total: 1000, used: 500 };
    try {
      const seen = await drift("--since", earlier);
      expect(seen.code).toBe(2);
      expect(seen.stdout).toContain("added: pool fresh\n");
      expect(seen.stdout).toMatch(/removed: (VM|container) 200\n/);
      expect(seen.stdout).toMatch(/changed: VM 201\n {2}memory: \S+ -> 4096\n/);
      expect(seen.stdout).not.toContain("local");
      const json = await drift("--since", earlier, "--format", "json");
      expect(JSON.parse(json.stdout).differences).toContainEqual({ object: "pool fresh", kind: "added", members: [] });
      const junit = await drift("--since", earlier, "--format", "junit");
      expect(junit.stdout).toContain('<testcase classname="proxmox.drift" name="storage nas"'.replace("nas", "thin"));
      expect(junit.stdout).toContain('name="pool fresh">\n      <failure message="added">');
    } finally {
      simulator.sim.world.guests = before;
      delete access.pools["fresh"];
      (storages["local"] as { capacity: unknown }).capacity = capacity;
    }
  });
});

describe("drift from a state", () => {
  const pool = { id: "web", comment: "servers", storages: [] };

  it("is none if each object is as it was", async () => {
    expect(await drift("--state", stateFile(state(pool)))).toMatchObject({ code: 0, stdout: "No drift.\n" });
  });

  it("shows what was changed and what is gone", async () => {
    const changed = await drift("--state", stateFile(state({ ...pool, comment: "ours" })));
    expect(changed).toMatchObject({ code: 2 });
    expect(changed.stdout).toContain("changed: proxmox_pool.web\n  comment: ours -> servers\n");
    const gone = await drift("--state", stateFile(state({ id: "old", comment: null })));
    expect(gone).toMatchObject({ code: 2, stdout: expect.stringContaining("removed: proxmox_pool.web\n") });
  });

  it.each([
    ["no state", "hello", "This is not a state"],
    ["a state of another version", { version: 3 }, "version 3, and version 4 is needed"],
  ])("needs a state that it can read: %s", async (_, content, text) => {
    expect(await drift("--state", stateFile(content))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(text),
    });
  });
});

it("needs to know what to compare with", async () => {
  expect(await drift()).toMatchObject({ code: 1, stderr: expect.stringContaining("--since FILE or --state FILE") });
  expect(await drift("--since", join(folder, "none"))).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("ENOENT"),
  });
  expect(await drift("--since", earlier, "--format", "xml")).toMatchObject({ code: 1 });
});
