import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Simulator, startSimulator } from "#simulator";
import { Chronicle } from "../../programs/chaos/chronicle.ts";
import { crowdedSeed } from "../../programs/chaos/cluster.ts";
import { judge } from "../../programs/chaos/judge.ts";
import { live } from "../../programs/chaos/life.ts";
import { ModelledStack } from "../../programs/chaos/modelled-stack.ts";
import type { Part, Watch } from "../../programs/chaos/part.ts";
import { access } from "../../programs/chaos/parts/access.ts";
import { mixtureOf } from "../../programs/chaos/parts/index.ts";
import { stacks } from "../../programs/chaos/parts/stacks.ts";
import { refer, resolve } from "../../programs/chaos/references.ts";
import { type Configs, writeScript } from "../../programs/chaos/script.ts";
import type { Held } from "../../programs/chaos/stack.ts";
import { buildProvider } from "../acceptance/cluster-workspace.ts";
import { Decimal, unknown } from "../harness/index.ts";

let path: string;

beforeAll(async () => {
  path = (await buildProvider()).path;
}, 120_000);

/** `npm run chaos -- --parts access,stacks` for more. */
test.each<[string, number, Part]>([
  ["users, grants and pools", 2, access],
  ["a VM with what belongs to it", 5, stacks],
])("a run of %s recovers from all faults: %i", { timeout: 600_000 }, async (_, seed, part) => {
  const { findings, diary } = await live(writeScript(seed, [part]), {
    makeStack: (simulator, script) => new ModelledStack(simulator, script, [path]),
  });
  expect(findings, diary.join("\n")).toEqual([]);
});

describe("the checks find", () => {
  let simulator: Simulator;
  let chronicle: Chronicle;
  let watch: Watch;
  const wanted: Configs = {
    "proxmox_user.ann": { id: "ann@pve", groups: [refer("proxmox_group.devs", "id")] },
    "proxmox_group.devs": { id: "devs" },
    "proxmox_token.ann-ci": { user: refer("proxmox_user.ann", "id"), name: "ci" },
    "proxmox_acl.vms-701": { path: "/vms/701", role: "PVEAuditor", token: refer("proxmox_token.ann-ci", "id") },
    "proxmox_pool.prod": { id: "prod", storages: ["nas"] },
    "proxmox_pool_member.guest-701": { pool: refer("proxmox_pool.prod", "id"), vmid: 701 },
  };
  const values: Record<string, string> = { user: "ann@pve", name: "ci" };
  const held = new Map<string, Held>([
    ["proxmox_token.ann-ci", { isTainted: false, attribute: (name) => values[name] }],
  ]);
  const now = () => simulator.sim.world.access;
  const ann = () => now().users["ann@pve"] as NonNullable<(typeof simulator.sim.world.access.users)[string]>;

  beforeEach(async () => {
    simulator = await startSimulator({ seed: crowdedSeed([access]) });
    chronicle = new Chronicle(simulator, [access]);
    watch = access.watch(chronicle);
    const token = { secret: "first", privsep: true, expire: 0 };
    now().groups["devs"] = {};
    now().users["ann@pve"] = { enable: true, groups: ["devs"], tokens: { ci: token }, tfa: [] };
    now().acl.push({ path: "/vms/701", type: "token", ugid: "ann@pve!ci", roleid: "PVEAuditor", propagate: true });
    now().pools["prod"] = { vms: [701], storage: ["nas"] };
    watch.plan(wanted, held);
    return () => simulator.close();
  });

  const found = (desired = wanted) => {
    watch.look?.();
    return judge({ chronicle, held, wanted: desired, messages: "" }, [watch]).map(({ kind }) => kind);
  };

  test("nothing in a correct cluster", () => expect(found()).toEqual([]));

  test("what nothing configures, and what is missing", () => {
    now().roles["stray"] = [];
    ann().groups = [];
    expect(found().toSorted()).toEqual(["access missing", "access orphan", "access orphan"]);
    expect(found({ ...wanted, "proxmox_group.ops": { id: "ops" } })).toContain("access missing");
  });

  test("a guest in two pools, and a grant that is there twice", () => {
    now().pools["crew"]?.vms.push(701);
    now().acl.push(...now().acl.filter(({ path: at }) => at === "/vms/701"));
    expect(found().toSorted()).toEqual(["access doubled", "access orphan"]);
  });

  test("a grant that was gone for a moment, and a token with another secret", () => {
    const { acl } = now();
    now().acl = [];
    watch.look?.();
    now().acl = acl;
    Object.assign(ann().tokens["ci"] ?? {}, { secret: "second" });
    expect(found()).toEqual(["access gap", "token secret lost"]);
  });

  test("changes of what others have", () => {
    now().users["eve@pve"]?.groups.push("devs");
    now().acl = now().acl.filter(({ ugid }) => ugid !== "theirs");
    expect(found().filter((kind) => kind === "stranger touched")).toHaveLength(2);
  });
});

describe("a VM with what belongs to it", () => {
  const wanted: Configs = {
    "proxmox_vm.shop-1": { name: "pooled-701" },
    "proxmox_acl.shop": { path: "/vms/701", user: "noacl@pve" },
    "proxmox_firewall_rules.shop": { rules: [{ action: "DROP", dport: "7" }] },
  };
  const held = new Map<string, Held>([["proxmox_vm.shop-1", { isTainted: false, attribute: () => 701 }]]);

  test("is checked for what is missing, and for what is left of others", async () => {
    const simulator = await startSimulator({ seed: crowdedSeed([access]) });
    const { world } = simulator.sim;
    const chronicle = new Chronicle(simulator, [stacks]);
    const watch = stacks.watch(chronicle);
    watch.plan(wanted, held);
    const found = () => judge({ chronicle, held, wanted, messages: "" }, [watch]).map(({ text }) => text);
    expect(found()).toEqual(["the grant on 701 is missing", "the rules of 701 are none instead of DROP 7"]);
    const granted = { type: "user", ugid: "noacl@pve", roleid: "PVEAuditor", propagate: true } as const;
    world.access.acl.push({ path: "/vms/701", ...granted });
    const file = { options: {}, aliases: {}, sets: {}, groups: {} };
    world.firewall["guest/701"] = { ...file, rules: [{ type: "in", action: "DROP", dport: "7" }] };
    expect(found()).toEqual([]);
    world.access.acl.push({ path: "/vms/799", ...granted });
    world.firewall["guest/798"] = { ...file, rules: [] };
    expect(found()).toEqual(["something of 799 is left", "something of 798 is left"]);
    await simulator.close();
  });
});

test("a reference may be part of a text, which is unknown as long as the value is", () => {
  const config = { path: `/vms/${refer("proxmox_vm.a", "vmid")}` };
  expect(resolve(config, () => Decimal.from(100))).toEqual({ path: "/vms/100" });
  expect(resolve(config, () => unknown)).toEqual({ path: unknown });
});

test("each life mixes three kinds of objects, always the same for a seed", () => {
  const names = (seed: number) => mixtureOf(seed).map(({ name }) => name);
  expect(names(1)).toHaveLength(3);
  expect(names(1)).toEqual(names(1));
  const all = Array.from({ length: 100 }, (_, seed) => names(seed).join());
  expect(new Set(all).size).toBeGreaterThan(30);
});
