import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Simulator, startSimulator } from "#simulator";
import { Dice } from "../../programs/chaos/dice.ts";
import { run as adopt } from "../../src/cli/adopt/adopt.ts";
import { run as doctor } from "../../src/cli/doctor/doctor.ts";
import { run as drift } from "../../src/cli/drift/drift.ts";
import { run as exportCluster } from "../../src/cli/export/export.ts";
import { LocalProvider } from "../../src/cli/local-provider.ts";
import { registry } from "../../src/registry.ts";
import type { Input } from "../harness/index.ts";
import { type, variablesFor } from "./cli/person.ts";
import { richSeed } from "./cli/rich-seed.ts";
import { seed as containerSeed, fromImage, rootfs } from "./container/suite.ts";
import { isUnforeseeable, openRowsBench } from "./crud/bench.ts";
import { handRows } from "./crud/hand-rows.ts";
import { withValue } from "./crud/row.ts";
import { type Case, casesOf, rows } from "./crud/rows.ts";
import { settingsRows } from "./crud/settings-rows.ts";
import { LookupBench } from "./data-sources/lookup-bench.ts";
import { makeNewer, type News, unknownId } from "./newer-host.ts";
import { ResourceBench } from "./resource-bench.ts";

/** `CASES=200 SEED=7` for more; every definition is a case at 100 and above. */
const count = Number(process.env["CASES"] ?? 6);
const seed = Number(process.env["SEED"] ?? 1);
const dice = new Dice(seed);
const kinds = casesOf([...rows, ...settingsRows, ...handRows]).map((one, at) => ({
  ...one,
  title: `${one.type} ${at}`,
}));
const chosen = count >= 100 ? kinds : Array.from({ length: count }, () => dice.pick(kinds));
const more: News = { members: true, objects: true };

/** The second value of every attribute. */
const everything = ({ base, values }: Case) =>
  Object.entries(values).reduce((config, [path, [, second]]) => withValue(config, path, second), base);

describe("an object of a definition, on a host that is newer than the provider", () => {
  let bench: ResourceBench;
  beforeAll(async () => {
    bench = await openRowsBench({ as: "root@pam", speed: 2000 });
  });
  beforeEach(async () => {
    await bench.close();
    bench = await openRowsBench({ as: "root@pam", speed: 2000 });
  });
  afterAll(() => bench.close());

  test.each([...new Map(chosen.map((one) => [one.title, one])).values()])(
    "lives as on a known one: $title",
    async (one) => {
      for (const { prepare } of kinds.filter((other) => other.type === one.type)) prepare?.(bench.simulator.sim.world);
      const { sent, restore } = makeNewer(bench.simulator, dice.int(0, 1e6), more);
      try {
        const resource = bench.resource(one.type);
        const made = await resource.create(one.base);
        await resource.expectSettled(made, one.base);
        const config = everything(one);
        const changed = await resource.update(made, config);
        await resource.expectSettled(changed, config);
        await bench.configure();
        const found = await bench.resource(one.type).refresh(changed);
        await bench.resource(one.type).expectSettled(found, config);
        await bench.resource(one.type).destroy(found);
      } catch (reason) {
        if (!isUnforeseeable(reason)) throw reason;
      } finally {
        restore();
      }
      expect(sent).toEqual([]);
    },
  );

  test.each([...new Map(chosen.map((one) => [one.title, one])).values()])(
    "is read and planned with unknown values: $title",
    async (one) => {
      for (const { prepare } of kinds.filter((other) => other.type === one.type)) prepare?.(bench.simulator.sim.world);
      const made = await bench
        .resource(one.type)
        .create(one.base)
        .catch((reason) => {
          if (isUnforeseeable(reason)) return null;
          throw reason;
        });
      if (made === null) return;
      const { sent, restore } = makeNewer(bench.simulator, dice.int(0, 1e6), { ...more, values: true });
      try {
        await bench.configure();
        const resource = bench.resource(one.type);
        const found = await resource.find(made);
        if (found === null) throw new Error("the object is there");
        await resource.plan(found, one.base);
      } finally {
        restore();
      }
      expect(sent).toEqual([]);
      await bench.configure();
      const found = await bench.resource(one.type).refresh(made);
      await bench.resource(one.type).expectSettled(found, one.base);
    },
  );
});

describe("a guest on a newer host", () => {
  let bench: ResourceBench;
  beforeAll(async () => {
    bench = await ResourceBench.open({ seed: containerSeed });
  });
  afterAll(() => bench.close());

  const vm = { name: "newer", clone: { template: "9000" }, cpu: { cores: 2 }, networks: { net0: { bridge: "vmbr0" } } };
  const container = { ...fromImage, vmid: 601, name: "newer", mounts: { rootfs } };
  const guests: readonly [string, Record<string, Input>, Record<string, Input>][] = [
    ["proxmox_vm", vm, { cpu: { cores: 4 }, tags: ["a"], description: "x" }],
    [
      "proxmox_vm",
      { ...vm, power: "stopped" },
      { memory: { size: "3G" }, networks: { net0: { bridge: "vmbr0", vlan: 7 } } },
    ],
    ["proxmox_container", container, { cpu: { cores: 2 }, tags: ["a"] }],
  ];

  test.each(guests)("lives as on a known one: %s (%#)", async (name, config, change) => {
    bench.simulator.reset();
    const host = makeNewer(bench.simulator, dice.int(0, 1e6), more);
    try {
      await bench.configure();
      const resource = bench.resource(name);
      const made = await resource.create(config);
      await resource.expectSettled(made, config);
      const changed = await resource.update(made, { ...config, ...change });
      await resource.expectSettled(changed, { ...config, ...change });
      await resource.destroy(changed);
    } finally {
      host.restore();
    }
    expect(host.sent).toEqual([]);
  });

  test.each(guests)("is read and planned with unknown states and values: %s (%#)", async (name, config, change) => {
    bench.simulator.reset();
    await bench.configure();
    const made = await bench.resource(name).create(config);
    for (let round = 0; round < 2; round += 1) {
      const host = makeNewer(bench.simulator, dice.int(0, 1e6), { ...more, values: true });
      try {
        await bench.configure();
        const found = await bench.resource(name).find(made);
        if (found === null) throw new Error("the guest is there");
        await bench.resource(name).plan(found, { ...config, ...change });
      } finally {
        host.restore();
      }
      expect(host.sent).toEqual([]);
    }
    await bench.configure();
    await bench.resource(name).expectSettled(await bench.resource(name).refresh(made), config);
  });
});

/** Data sources that require arguments. */
const given: Readonly<Record<string, Record<string, Input> | null>> = {
  proxmox_container: { vmid: 120 },
  proxmox_vm: { vmid: 9000 },
};

describe("what reads a newer host", () => {
  let simulator: Simulator;
  const folder = mkdtempSync(join(tmpdir(), "newer-host-"));
  const env = () => variablesFor(simulator, "root@pam!admin");
  beforeAll(async () => {
    simulator = await startSimulator({ speed: 100, seed: richSeed });
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await simulator.close();
  });

  const rounds: readonly [string, News][] = [
    ["members and objects", more],
    ["values and states", { ...more, values: true }],
  ];

  test.each(rounds)("list resources, with unknown %s", async (_, news) => {
    const host = makeNewer(simulator, dice.int(0, 1e6), news);
    const provider = await LocalProvider.open(env());
    const failed: string[] = [];
    try {
      // Only root@pam may read ACME accounts.
      for (const name of Object.keys(registry.listResources).filter((one) => one !== "proxmox_acme_account")) {
        const filters = Object.keys((await registry.listResources[name as "proxmox_vm"]()).attributes);
        try {
          for await (const found of provider.list(name, filters)) await provider.configOf(name, found.state);
        } catch (reason) {
          failed.push(`${name}: ${String(reason)}`);
        }
      }
    } finally {
      host.restore();
      await provider.close();
    }
    expect(failed).toEqual([]);
  });

  test.each(rounds)("adopt, with unknown %s", async (title, news) => {
    const host = makeNewer(simulator, dice.int(0, 1e6), news);
    const out = join(folder, `adopted ${title}`);
    try {
      const seen = await type(adopt, ["--out", out, "--no-plan"], env());
      expect(seen).toMatchObject({ code: 0 });
      const [, left = ""] = seen.stdout.split("Left out:\n");
      if (!news.values) expect(left).toContain(unknownId);
      expect(seen.stdout + seen.stderr).not.toMatch(/NaN|undefined|not implemented/);
      for (const file of readdirSync(out).filter((name) => name.endsWith(".tf")))
        expect(readFileSync(join(out, file), "utf8"), file).not.toContain(unknownId);
    } finally {
      host.restore();
    }
  });

  test("export and drift", async () => {
    const host = makeNewer(simulator, seed, more);
    try {
      const file = join(folder, "newer.json");
      expect(await type(exportCluster, ["--out", file], env())).toMatchObject({ code: 0 });
      const copy = await startSimulator({ seed: JSON.parse(readFileSync(file, "utf8")) });
      await copy.close();
      const seen = await type(drift, ["--since", file], env());
      expect(seen.stdout).toMatch(/^No drift/);
    } finally {
      host.restore();
    }
  });

  test.each(rounds)("doctor, with unknown %s", async (_, news) => {
    const host = makeNewer(simulator, dice.int(0, 1e6), news);
    try {
      const { stdout } = await type(doctor, [], env());
      expect(stdout).not.toMatch(/does not match the API|✘ (?!unfinished|storages|bridges)/);
    } finally {
      host.restore();
    }
  });
});

describe("data sources", () => {
  let bench: LookupBench;
  beforeAll(async () => {
    bench = await LookupBench.open({ seed: richSeed });
  });
  afterAll(() => bench.close());

  test.each(Object.keys(registry.dataSources))("%s", async (name) => {
    const config = given[name] ?? {};
    const usual = await bench.lookUp(name, config).then(
      () => null,
      (reason: unknown) => String(reason),
    );
    for (const news of [more, { ...more, values: true }]) {
      const host = makeNewer(bench.simulator, dice.int(0, 1e6), news);
      try {
        await bench.configure();
        const found = await bench.lookUp(name, config).then(
          () => null,
          (reason: unknown) => String(reason),
        );
        if (usual === null) expect(found).toBe(null);
      } finally {
        host.restore();
      }
    }
  });
});
