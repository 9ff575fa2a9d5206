import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Simulator, startSimulator } from "#simulator";
import { run } from "../../../src/cli/drift/drift.ts";
import { run as exportCluster } from "../../../src/cli/export/export.ts";
import { call } from "../simulator/client.ts";
import { labSeed } from "../simulator/lab.ts";
import { type, variablesFor } from "./person.ts";
import { richSeed } from "./rich-seed.ts";

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
    expect(await drift("--since", earlier)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^No drift\. \d+ objects? (was|were) compared\.\n$/),
    });
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

/** A change by API for every kind of object that the cluster of `rich-seed.ts` has, and what drift calls the object. */
const changes: [call: string, form: Record<string, string>, shown: string][] = [
  ["PUT /pools", { poolid: "web", comment: "other\nline\u001b[2J" }, "pool web"],
  ["PUT /access/users/owner@pve", { comment: "x" }, "user owner@pve"],
  ["POST /access/groups", { groupid: "fresh" }, "group fresh"],
  ["POST /access/roles", { roleid: "Fresh", privs: "VM.Audit" }, "role Fresh"],
  [
    "PUT /access/acl",
    { path: "/vms", users: "owner@pve", roles: "PVEAuditor" },
    "permission PVEAuditor on /vms for owner@pve",
  ],
  ["PUT /access/domains/pve", { comment: "x" }, "realm pve"],
  ["PUT /access/users/owner@pve/token/tk", { comment: "x" }, "token owner@pve!tk"],
  ["PUT /storage/local", { content: "iso" }, "storage local"],
  ["PUT /nodes/pve1/qemu/9000/config", { description: "x" }, "VM 9000"],
  ["PUT /nodes/pve2/lxc/777/config", { description: "x" }, "container 777"],
  ["PUT /cluster/options", { keyboard: "de" }, "cluster options"],
  ["PUT /nodes/pve1/dns", { search: "other.example" }, "node pve1"],
  ["PUT /cluster/backup/night", { comment: "x" }, "backup job night"],
  ["PUT /cluster/ha/resources/vm:100", { comment: "x" }, "HA resource vm:100"],
  [
    "PUT /cluster/mapping/pci/gpu",
    { description: "x", map: "node=pve1,path=0000:01:00.0,id=10de:1eb8" },
    "PCI mapping gpu",
  ],
  ["PUT /cluster/metrics/server/graphs", { server: "192.0.2.61", port: "2003" }, "metric server graphs"],
  ["PUT /cluster/notifications/matchers/errors", { comment: "x" }, "notification matcher errors"],
  ["PUT /cluster/jobs/realm-sync/nightly", { schedule: "hourly" }, "realm sync job nightly"],
  ["PUT /cluster/sdn/vnets/v1", { zone: "z1", alias: "x" }, "vnet v1"],
  ["PUT /cluster/sdn/vnets/v1/subnets/z1-10.1.0.0-24", { gateway: "10.1.0.2" }, "subnet 10.1.0.0/24 of v1"],
  ["PUT /cluster/sdn/controllers/evpn1", { asn: "65001", peers: "192.0.2.11" }, "SDN controller evpn1"],
  [
    "POST /cluster/sdn/vnets/v1/ips",
    { zone: "z1", ip: "10.1.0.11", mac: "BC:24:11:00:00:99" },
    "address 10.1.0.11 of zone z1",
  ],
  ["PUT /cluster/firewall/aliases/gateway", { cidr: "192.0.2.9" }, "firewall of the cluster"],
  ["PUT /nodes/pve1/firewall/options", { nosmurfs: "1" }, "firewall of node pve1"],
  ["PUT /nodes/pve1/qemu/100/firewall/options", { enable: "0" }, "firewall of guest 100"],
  ["POST /cluster/sdn/vnets/v1/firewall/rules", { type: "forward", action: "ACCEPT" }, "firewall of vnet v1"],
];

describe("every kind of object", () => {
  it("that was changed is shown, and no other", async () => {
    const rich = await startSimulator({ speed: 100, seed: richSeed });
    const own = variablesFor(rich, "root@pam!admin");
    const file = join(folder, "rich.json");
    try {
      expect(await type(exportCluster, ["--out", file], own)).toMatchObject({ code: 0 });
      for (const [line, form] of changes) {
        const [method = "", path = ""] = line.split(" ");
        const { status, body } = await call(rich, method, path, { form, token: "root@pam!admin" });
        expect({ line, status, body }).toMatchObject({ status: 200 });
      }
      const { code, stdout } = await type(run, ["--since", file], own);
      expect(code).toBe(2);
      const objects = [...stdout.matchAll(/^(?:added|removed|changed): (.*)$/gm)].map(([, object]) => object);
      expect(objects.sort()).toEqual(changes.map(([, , shown]) => shown).sort());
      expect(stdout).not.toContain("\u001b");
    } finally {
      await rich.close();
    }
  });
});

describe("drift from a state", () => {
  const pool = { id: "web", comment: "servers", storages: [] };

  it("is none if each object is as it was", async () => {
    expect(await drift("--state", stateFile(state(pool)))).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^No drift\. \d+ objects? (was|were) compared\.\n$/),
    });
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
    ["an export", { format: 1, version: {} }, "an export, which --since takes"],
    ["nothing", "null", "no version"],
    ["an encrypted state", { version: 4, encrypted_data: "x" }, "This state is encrypted"],
    ["resources that are no list", { version: 4, resources: "x" }, "This is not a state"],
    ["no resources", { version: 4, resources: [] }, "Nothing was compared: the state has no resources"],
    [
      "resources of another provider only",
      {
        version: 4,
        resources: state({}).resources.map((one) => ({
          ...one,
          provider: 'provider["registry.terraform.io/bpg/proxmox"]',
        })),
      },
      "Nothing was compared: the state has resources of other providers only: registry.terraform.io/bpg/proxmox",
    ],
    [
      "attributes of an old form",
      { version: 4, resources: state({}).resources.map((one) => ({ ...one, instances: [{ attributes_flat: {} }] })) },
      "no attributes of proxmox_pool.web",
    ],
    [
      "a newer provider",
      {
        version: 4,
        resources: state({}).resources.map((one) => ({
          ...one,
          instances: [{ schema_version: 99, attributes: { id: "web", comment: null, storages: [] } }],
        })),
      },
      "The stored state is newer than the provider",
    ],
  ])("needs a state that it can read: %s", async (_, content, text) => {
    expect(await drift("--state", stateFile(content))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(text),
    });
  });
});

describe("what the caller may not see", () => {
  it("is not compared, in an export", async () => {
    const rich = await startSimulator({ speed: 100, seed: richSeed });
    const file = join(folder, "seen-by-root.json");
    try {
      expect(await type(exportCluster, ["--out", file], variablesFor(rich, "root@pam!admin"))).toMatchObject({
        code: 0,
      });
      const seen = await type(run, ["--since", file, "--json"], variablesFor(rich, "auditor@pve!tk"));
      expect(seen.stderr).toContain("Not compared: /cluster/acme/plugins");
      expect(JSON.parse(seen.stdout)).toEqual({ compared: expect.any(Number), differences: [] });
      expect(seen.code).toBe(0);
    } finally {
      await rich.close();
    }
  });

  it("is not compared, in a state", async () => {
    const [pool] = state({ id: "web", comment: "servers", storages: [] }).resources;
    const account = {
      ...pool,
      type: "proxmox_acme_account",
      instances: [{ schema_version: 0, attributes: { name: "default" } }],
    };
    const seen = await drift("--state", stateFile({ version: 4, resources: [pool, account] }));
    expect(seen.stderr).toMatch(/^Not compared: proxmox_acme_account\.web: /);
    expect(seen).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^No drift\. \d+ objects? (was|were) compared\.\n$/),
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
