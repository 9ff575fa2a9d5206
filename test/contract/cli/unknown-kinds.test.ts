import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Simulator, startSimulator } from "#simulator";
import { run as adopt } from "../../../src/cli/adopt/adopt.ts";
import { run as drift } from "../../../src/cli/drift/drift.ts";
import { run as exportCluster } from "../../../src/cli/export/export.ts";
import { type, variablesFor } from "./person.ts";

let simulator: Simulator;
const folder = mkdtempSync(join(tmpdir(), "unknown-kinds-"));

beforeAll(async () => {
  simulator = await startSimulator();
  const { sdn, ha } = simulator.sim.world;
  sdn.fabrics["known"] = {
    type: "openfabric_fabric",
    options: { id: "known", protocol: "openfabric", ip_prefix: "10.9.0.0/24" },
  };
  sdn.fabrics["later"] = { type: "babel_fabric", options: { id: "later", protocol: "babel" } };
  sdn.fabrics["later_pve1"] = {
    type: "babel_node",
    options: { fabric_id: "later", node_id: "pve1", protocol: "babel", interfaces: ["name=eth7,cost=3"] },
  };
  sdn.zones["laterz"] = { type: "geneve", options: { peers: "192.0.2.1" } };
  sdn.controllers["laterc"] = { type: "rift", options: {} };
  ha.rules["later"] = { type: "time-affinity" as never, options: { resources: "vm:9000" } };
});
afterAll(async () => {
  await simulator.close();
  rmSync(folder, { recursive: true });
});

test("adopt lists objects of kinds that it does not know under `Left out`, and takes over the others", async () => {
  const { code, stdout } = await type(
    adopt,
    ["--out", join(folder, "infra"), "--no-plan"],
    variablesFor(simulator, "root@pam!admin"),
  );
  expect(code).toBe(0);
  const [, left = ""] = stdout.split("Left out:");
  for (const named of [
    'SDN fabric "later" has protocol "babel"',
    'node of an SDN fabric "later/pve1" has protocol "babel"',
    'SDN zone "laterz" has type "geneve"',
    'SDN controller "laterc" has type "rift"',
    'HA rule "later" has type "time-affinity"',
  ]) {
    expect(left).toContain(`${named}, which this version of the provider does not know`);
  }
  const written = readFileSync(join(folder, "infra", "sdn.tf"), "utf8");
  expect(written).toContain('resource "proxmox_sdn_fabric" "known"');
  expect(written).not.toContain("later");
});

test("export and drift read a cluster that has such objects", async () => {
  const file = join(folder, "seed.json");
  const exported = await type(exportCluster, ["--out", file], variablesFor(simulator, "root@pam!admin"));
  expect(exported.stderr).not.toContain("cannot be simulated");
  expect(exported.code).toBe(0);
  const compared = await type(drift, ["--since", file], variablesFor(simulator, "root@pam!admin"));
  expect([compared.code, compared.stderr]).toEqual([0, expect.any(String)]);
});
