import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Simulator, startSimulator } from "#simulator";
import type { Instance } from "../harness/index.ts";
import { ResourceBench } from "./resource-bench.ts";

const dead = "https://127.0.0.1:1";
let bench: ResourceBench;
let other: Simulator;

beforeAll(async () => {
  bench = await ResourceBench.open();
  other = await startSimulator({ speed: 200 });
});

afterAll(async () => {
  await other.close();
  await bench.close();
});

const group = () => bench.resource("proxmox_group");
const connect = (endpoints: readonly string[], more = {}) =>
  bench.configure("root@pam!admin", {
    ...{ endpoint: null, endpoints, ca_certificate: bench.simulator.caCertificate + other.caCertificate },
    ...more,
  });

describe("endpoints of two clusters", () => {
  let made: Instance;

  beforeEach(async () => {
    await connect([bench.simulator.url, other.url]);
    made = await group().create({ id: "prod" });
  });

  test("make nothing of the first disappear when it is silent", async () => {
    await connect([dead, other.url]);
    await expect(group().find(made)).rejects.toThrow(/Another cluster[\s\S]*cluster_check = "off"/);
    await connect([bench.simulator.url, other.url]);
    await group().destroy(made);
  });

  test("do not take an object of the same name for the one of the state", async () => {
    other.sim.world.access.groups["prod"] = { comment: "not ours" };
    await connect([dead, other.url]);
    await expect(group().find(made)).rejects.toThrow(/Another cluster/);
    delete other.sim.world.access.groups["prod"];
    await connect([bench.simulator.url, other.url]);
    await group().destroy(made);
  });

  test("are remembered when only one is left, and an object is missing there", async () => {
    await connect([other.url]);
    await expect(group().find(made)).rejects.toThrow(/Another cluster/);
    await connect([bench.simulator.url]);
    await group().destroy(made);
  });

  test("are the user's decision with cluster_check = off", async () => {
    await connect([dead, other.url], { cluster_check: "off" });
    expect(await group().find(made)).toBeNull();
    await connect([bench.simulator.url]);
    await group().destroy(made);
  });
});

test("one endpoint stores no cluster, and asks for none", async () => {
  await connect([bench.simulator.url]);
  const made = await group().create({ id: "solo" });
  expect(Buffer.from(made.private).toString()).not.toContain("origin");
  await group().destroy(made);
});
