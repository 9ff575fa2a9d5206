import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { run } from "../../../src/cli/roles/role-command.ts";
import { settings } from "../../../src/registry.ts";
import { type Instance, type ManagedResource, unknown } from "../../harness/index.ts";
import { type } from "../cli/person.ts";
import { typeCommands } from "../pveum.ts";
import { ResourceBench } from "../resource-bench.ts";
import { grant, neededFor, poor } from "./exact-privileges.ts";
import type { Row } from "./row.ts";
import { withValue } from "./row.ts";
import { settingsRows } from "./settings-rows.ts";

const definitions = new Map(
  (await Promise.all(Object.values(settings).map((load) => load()))).map(({ type, crud }) => [type, crud] as const),
);

let bench: ResourceBench;

beforeAll(async () => {
  bench = await ResourceBench.open({ env: { PROXMOX_VE_LOCK_WAITS: "10ms,20ms,40ms,80ms" } });
});
afterEach(async () => {
  bench.simulator.faults.clear();
  await bench.configure();
});
afterAll(() => bench.close());

const resourceOf = ({ type: name }: Row): ManagedResource => bench.resource(name);

const crudOf = ({ type: name }: Row) => {
  const crud = definitions.get(name);
  if (crud === undefined) throw new Error(`${name} is not defined`);
  return crud;
};

const updateOf = (row: Row) => crudOf(row).access.endpoints(null).update;

const importId = ({ base }: Row): string => String(base["node"] ?? "cluster");

/** The settings as they are now. */
const seen = async (row: Row): Promise<Instance["state"]> =>
  (await resourceOf(row).import({ id: importId(row) })).state;

const lose = (row: Row, isAfter: boolean) =>
  bench.simulator.faults.order({ do: "answer", call: updateOf(row), status: 596, ...(isAfter && { after: 1 }) });

test("all settings have a row", () => {
  expect(settingsRows.map(({ type }) => type).sort()).toEqual([...definitions.keys()].sort());
});

test("each attribute has its two values", () => {
  const missing = settingsRows.flatMap((row) => {
    const given = Object.keys(row.values).map((path) => path.replace(/\..*/, ""));
    const { attributes } = crudOf(row).definition;
    const names = Object.keys(attributes).filter((name) => name !== "node" && attributes[name]?.mode !== "computed");
    return names.filter((name) => !given.includes(name)).map((name) => `${row.type}.${name}`);
  });
  expect(missing).toEqual([]);
});

describe.each(settingsRows)("$type", (row) => {
  const { base, values } = row;
  const attributes = Object.entries(values);

  test("takes over what is there, changes each attribute alone, unsets it alone, and puts everything back", async () => {
    const before = await seen(row);
    let now = await resourceOf(row).create(base);
    const plain = now.state;
    for (const [path, [first, second]] of attributes) {
      now = await resourceOf(row).update(now, withValue(base, path, first));
      now = await resourceOf(row).update(now, withValue(base, path, second));
      now = await resourceOf(row).update(now, base);
      expect(now.state, `${path} is undone`).toEqual(plain);
    }
    const everything = attributes.reduce((config, [path, [, second]]) => withValue(config, path, second), base);
    now = await resourceOf(row).update(now, everything);
    const imported = await resourceOf(row).import({ id: importId(row) });
    expect(imported.state).toEqual(now.state);
    await resourceOf(row).expectSettled(imported, everything);
    await resourceOf(row).destroy(now);
    const required = Object.keys(base).filter((name) => name !== "node");
    const kept = Object.fromEntries(required.map((name) => [name, now.state[name]]));
    expect(await seen(row)).toEqual({ ...before, ...kept });
  });

  test("created with everything, puts back what it replaced and leaves alone what it did not write", async () => {
    const [[path, [first, second]] = ["", [null, null]], ...others] = attributes;
    const foreign = await resourceOf(row).create(withValue(base, path, first));
    const before = await seen(row);
    await bench.configure();
    const all = others.reduce((config, [name, [one]]) => withValue(config, name, one), withValue(base, path, second));
    await resourceOf(row).destroy(await resourceOf(row).create(all));
    const required = Object.keys(base).filter((name) => name !== "node");
    const after = await seen(row);
    const optional = Object.keys(before).filter((name) => !required.includes(name));
    for (const name of optional) expect(after[name], name).toEqual(before[name]);
    await resourceOf(row).destroy(foreign);
  });

  test("survives answers that are lost, before and after the work", async () => {
    const [[path, [first, second]] = ["", [null, null]]] = attributes;
    await resourceOf(row).destroy(await resourceOf(row).create(withValue(base, path, second)));
    lose(row, false);
    await expect(resourceOf(row).create(withValue(base, path, first))).rejects.toThrow("The answer was lost");
    bench.simulator.faults.clear();
    lose(row, true);
    let now = await resourceOf(row).create(withValue(base, path, first));
    bench.simulator.faults.clear();
    lose(row, true);
    now = await resourceOf(row).update(now, withValue(base, path, second));
    bench.simulator.faults.clear();
    await resourceOf(row).destroy(now);
  });

  test("is changed though another client changes the file at the same time", async () => {
    const [[path, [first, second]] = ["", [null, null]]] = attributes;
    const now = await resourceOf(row).create(withValue(base, path, first));
    const reason = "detected modified configuration - file changed by other user? Try again.";
    bench.simulator.faults.order({ do: "answer", call: updateOf(row), status: 500, reason });
    await resourceOf(row).destroy(await resourceOf(row).update(now, withValue(base, path, second)));
  });

  test("is planned with values that are not known yet", async () => {
    for (const [path] of attributes) {
      expect((await resourceOf(row).plan(null, withValue(base, path, unknown))).action, path).toBe("create");
    }
  });

  test("names each privilege that the caller lacks, and lives on the printed role", async () => {
    const [[path, [first, second]] = ["", [null, null]]] = attributes;
    const needed = await neededFor(bench, () => resourceOf(row).plan(null, base));
    expect(needed.length).toBeGreaterThan(0);
    for (const [index, [where, privilege]] of needed.entries()) {
      await grant(bench, needed.toSpliced(index, 1));
      const isNamed = new RegExp(`${where.replaceAll("/", "\\/")}: [^\\n]*${privilege.replace(".", "\\.")}`);
      await expect(resourceOf(row).plan(null, base), `${privilege} on ${where}`).rejects.toThrow(isNamed);
    }
    await bench.configure(`${poor}!tf`, { permission_check: "off" });
    await resourceOf(row).plan(null, base);
    const user = `least-${row.type.replaceAll("_", "-")}@pve`;
    const { stdout } = await type(run, ["--for", row.type, "--user", user], {});
    const { [`${user}!tf`]: secret } = await typeCommands(bench.simulator, stdout);
    await bench.configure("", { api_token: `${user}!tf=${secret}` });
    const now = await resourceOf(row).create(withValue(base, path, first));
    await resourceOf(row).destroy(await resourceOf(row).update(now, withValue(base, path, second)));
    const { access } = bench.simulator.sim.world;
    for (const role of Object.keys(access.roles)) if (role.startsWith("terraform-")) delete access.roles[role];
  });
});
