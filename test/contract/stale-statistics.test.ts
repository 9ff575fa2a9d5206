import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { defaultSeed } from "#simulator";
import { run as doctor } from "../../src/cli/doctor/doctor.ts";
import { run as importCommand } from "../../src/cli/import/import.ts";
import { type, variablesFor } from "./cli/person.ts";
import { LookupBench } from "./data-sources/lookup-bench.ts";
import { attribute } from "./resource-bench.ts";
import { query } from "./vm/streams.ts";

const template = (defaultSeed() as { guests: { vmid: number; config: object }[] }).guests[0];

const guests = [
  { ...template, vmid: 9000, node: "pve2" },
  { vmid: 201, node: "pve2", config: { name: "web-1", tags: "prod" }, running: true },
  { vmid: 202, node: "pve1", config: { name: "web-2" } },
  { vmid: 203, node: "pve2", type: "lxc", config: { hostname: "box" } },
];

let bench: LookupBench;

beforeAll(async () => {
  bench = await LookupBench.open({ seed: { ...defaultSeed(), guests } });
});
afterAll(() => bench.close());
afterEach(() => {
  for (const node of Object.values(bench.simulator.sim.world.nodes)) delete node.statisticsHangSince;
  bench.simulator.sim.statistics.refresh();
});

const hang = async (...nodes: string[]) => {
  for (const node of nodes) bench.simulator.faults.order({ do: "stale_statistics", node });
  await bench.restart();
};
const vm = () => bench.resource("proxmox_vm");
const clone = { template: "ubuntu-24.04-cloud" };
const everyNode = ["pve1", "pve2", "pve3"];

describe("a VM on a node whose statistics are missing", () => {
  test("is found by its name when the state is lost: no second one is created", async () => {
    await hang("pve2");
    await expect(vm().plan(null, { name: "web-1", node: "pve1", clone })).rejects.toThrow(/id = "201"/);
    const plan = await vm().plan(null, { name: "unheard-of", clone });
    await hang("pve2");
    expect(attribute(await vm().apply(plan, { name: "unheard-of", clone }), "name")).toBe("unheard-of");
    await hang("pve2");
    await expect(vm().create({ name: "unheard-of", clone })).rejects.toThrow(/A VM named "unheard-of" exists/);
  });

  test("is read, changed and destroyed like any other, and its template is found by name", async () => {
    await hang(...everyNode);
    const made = await vm().create({ name: "among-the-grey", clone });
    expect(attribute(made, "status")).toBe("running");
    await bench.restart();
    const kept = await vm().refresh(made);
    expect(attribute(kept, "status")).toBe("running");
    const changed = await vm().update(kept, { name: "among-the-grey", clone, cpu: { cores: 3 } });
    await bench.restart();
    await vm().destroy(changed);
    expect(bench.simulator.sim.world.guests[Number(attribute(made, "vmid"))]).toBeUndefined();
  });

  test("can have a cloud-init image, although the storages are unknown too", async () => {
    await hang(...everyNode);
    const config = { name: "with-text", node: "pve2", clone, cloud_init: { user_data: "#cloud-config\n" } };
    const made = await vm().create(config);
    expect(attribute(made, "cloud_init", "data_volume")).toMatch(/^nas:iso\//);
    await vm().destroy(made);
  });

  test("is named when it has the requested VMID, and so is a container", async () => {
    await hang("pve2");
    await expect(vm().plan(null, { name: "x", vmid: 201, clone })).rejects.toThrow('VM "web-1" on pve2 has it.');
    await expect(vm().plan(null, { name: "x", vmid: 203, clone })).rejects.toThrow('Container "box" on pve2 has it.');
  });

  test("is imported by its name", async () => {
    await hang("pve2");
    expect(attribute(await vm().import({ id: "web-1" }), "vmid")).toBe(201);
  });

  test("is listed with name and status", async () => {
    await hang("pve2");
    const events = await query(bench.provider, { name: "web-*", status: "running" });
    expect(events.map((event) => event.display_name)).toEqual(["web-1 (201 on pve2)"]);
    const { found, warnings } = await bench.lookUp("proxmox_vms", { name: "web-*" });
    expect(warnings).toEqual([]);
    expect(found["vmids"]).toEqual({ "web-1": 201, "web-2": 202 });
    expect((await bench.lookUp("proxmox_vm", { name: "web-1" })).found).toMatchObject({ vmid: 201, status: "running" });
    const { stdout } = await type(importCommand, ["--name", "web-*", "--json"], variablesFor(bench.simulator));
    expect(JSON.parse(stdout)).toMatchObject({ vms: [{ vmid: 201, name: "web-1" }, { vmid: 202 }] });
  });
});

test("a VM younger than the last broadcast is named too", async () => {
  const { world } = bench.simulator.sim;
  const { 202: other } = world.guests;
  if (!other) throw new Error("there is no VM 202");
  world.guests[700] = { ...structuredClone(other), vmid: 700, config: { name: "newcomer" } };
  await bench.restart();
  await expect(vm().plan(null, { name: "x", vmid: 700, clone })).rejects.toThrow('VM "newcomer" on pve1 has it.');
  delete world.guests[700];
});

describe("a guest that was renamed after the last broadcast", () => {
  const rows = [
    ["proxmox_vm", 202, "name", "web-2", { clone }],
    ["proxmox_container", 203, "hostname", "box", { node: "pve1", clone: { template: "203" } }],
  ] as const;

  test.each(rows)("has its new name, and no longer the old one: %s", async (resource, vmid, option, old, source) => {
    const settings = bench.simulator.sim.world.guests[vmid]?.config ?? {};
    for (const node of everyNode) bench.simulator.faults.order({ do: "stale_statistics", node, age: 0 });
    settings[option] = "renamed";
    await bench.restart();
    const plan = (name: string) => bench.resource(resource).plan(null, { name, ...source });
    await expect(plan("renamed")).rejects.toThrow(new RegExp(`Name taken.*id = "${vmid}"`, "s"));
    expect((await plan(old)).action).toBe("create");
    settings[option] = old;
  });

  test("during the apply, when this run has already listed the guests, does not have the old one", async () => {
    const settings = bench.simulator.sim.world.guests[202]?.config ?? {};
    await bench.restart();
    await vm().plan(null, { name: "another", clone });
    settings["name"] = "renamed";
    const made = await vm().create({ name: "web-2", clone });
    settings["name"] = "web-2";
    await vm().destroy(made);
  });
});

test("the data source of nodes counts such a node as online, with figures from the node itself", async () => {
  const before = await bench.lookUp("proxmox_nodes", { online: true });
  await hang("pve2");
  const { found } = await bench.lookUp("proxmox_nodes", { online: true });
  expect(found["names"]).toEqual(everyNode);
  const of = (seen: typeof found) => (seen["nodes"] as Record<string, unknown>[])[1];
  expect(of(found)).toMatchObject({ name: "pve2", cpus: of(before.found)?.["cpus"], online: true });
  expect(of(found)?.["memory_bytes"]).toBe(of(before.found)?.["memory_bytes"]);
});

describe("the doctor", () => {
  const examine = async () => {
    const { stdout, code } = await type(doctor, ["--json"], variablesFor(bench.simulator));
    const { checks } = JSON.parse(stdout) as { checks: { check: string; verdict: string; said: string }[] };
    return { code, checks, nodes: checks.filter(({ check }) => check === "nodes") };
  };

  test("names the node without statistics and what to restart, and reports no missing privilege", async () => {
    const before = await examine();
    await hang("pve2");
    const { code, checks, nodes } = await examine();
    expect(code).toBe(0);
    expect(nodes[0]).toMatchObject({ verdict: "ok", said: "online: `pve1`, `pve3`" });
    expect(nodes[1]).toMatchObject({
      verdict: "notice",
      said: expect.stringMatching(/^pve2 is online, but its stati/),
    });
    expect(JSON.stringify(nodes[1])).toContain("systemctl restart pvestatd");
    const others = (all: typeof checks) =>
      all.filter(({ check }) => ["privileges", "storages", "bridges", "templates"].includes(check));
    expect(others(checks)).toEqual(others(before.checks));
  });

  test("finds old statistics before the cluster drops them", async () => {
    bench.simulator.faults.order({ do: "stale_statistics", node: "pve3", age: 0 });
    const { sim } = bench.simulator;
    const node = sim.world.nodes["pve3"];
    if (!node) throw new Error("there is no pve3");
    node.bootedAt -= 3600;
    expect((await examine()).nodes.at(-1)).toMatchObject({
      verdict: "notice",
      said: expect.stringMatching(/^pve3 is online, but its statistics are 36\d\d s old/),
    });
    node.bootedAt += 3600;
  });
});
