import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Attributes } from "#kit";
import { run } from "../../../src/cli/roles/role-command.ts";
import { objects } from "../../../src/registry.ts";
import { type Input, type ManagedResource, unknown } from "../../harness/index.ts";
import { type } from "../cli/person.ts";
import { typeCommands } from "../pveum.ts";
import type { ResourceBench } from "../resource-bench.ts";
import { isUnforeseeable, openRowsBench } from "./bench.ts";
import { grant, neededFor, poor } from "./exact-privileges.ts";
import { withValue } from "./row.ts";
import { type Case, cases, rows } from "./rows.ts";

const definitions = new Map(
  (await Promise.all(Object.values(objects).map((load) => load()))).map(({ type, crud }) => [type, crud] as const),
);

let bench: ResourceBench;

beforeAll(async () => {
  bench = await openRowsBench();
});
afterEach(() => bench.simulator.faults.clear());
afterAll(() => bench.close());

const definitionOf = ({ type: name }: Case) => {
  const crud = definitions.get(name);
  if (crud === undefined) throw new Error(`${name} is not made from a definition`);
  return crud;
};

/** The calls of a case, by the type of its collection where that is part of the path. */
function callsOf(one: Case) {
  const { access, model } = definitionOf(one);
  return access.endpoints(model.variants.kindIn({ ...nothingOf(one), ...one.base }) ?? null);
}

const nothingOf = (one: Case) => Object.fromEntries(definitionOf(one).model.variants.names.map((name) => [name, null]));

const idOf = (one: Case) => {
  const { model } = definitionOf(one);
  return model.idText(model.idOf({ ...nothingOf(one), ...one.base }));
};

const lose = (call: string, after: boolean) =>
  bench.simulator.faults.order({ do: "answer", call, status: 596, ...(after && { after: 1 }) });

/** The second value of every attribute. */
const withEverything = ({ base, values }: Case) =>
  Object.entries(values).reduce((config, [path, [, second]]) => withValue(config, path, second), base);

function unlessUnforeseeable(reason: unknown): null {
  if (isUnforeseeable(reason)) return null;
  throw reason;
}

const resourceOf = ({ type: name }: Case): ManagedResource => bench.resource(name);

test("every definition has a row", () => {
  expect(rows.map(({ type }) => type).sort()).toEqual([...definitions.keys()].sort());
});

test("every attribute that can change has its two values", () => {
  const missing = [...definitions].flatMap(([type, { definition }]) => {
    const given = new Set([
      ...cases.filter((one) => one.type === type).flatMap(({ values }) => Object.keys(values)),
      ...(rows.find((row) => row.type === type)?.apart ?? []),
    ]);
    return changeable(definition.attributes)
      .filter((path) => !given.has(path))
      .map((path) => `${type}.${path}`);
  });
  expect(missing).toEqual([]);

  function changeable(attributes: Attributes, prefix = ""): string[] {
    return Object.entries(attributes).flatMap(([name, { type, mode, replace, local, writeOnly }]) => {
      const path = `${prefix}${name}`;
      if (prefix === "" && type.shape.kind === "nested") return changeable(type.shape.attributes, `${name}.`);
      const isFixed = mode === "computed" || replace || local || writeOnly !== undefined || path === "id";
      return isFixed ? [] : [path];
    });
  }
});

describe.each(cases)("$name", (one) => {
  const { base, values, isReserved, prepare } = one;
  const attributes = Object.entries(values);

  /** Another provider, for a caller who may do everything. */
  const restart = () => bench.configure(isReserved ? "root@pam" : undefined);
  beforeEach(restart);
  beforeAll(() => prepare?.(bench.simulator.sim.world));

  test("is created, has each attribute changed alone and unset alone, and is destroyed", async () => {
    let now = await resourceOf(one).create(base);
    const plain = now.state;
    for (const [path, [first, second]] of attributes) {
      now = await resourceOf(one).change(now, withValue(base, path, first));
      now = await resourceOf(one).change(now, withValue(base, path, second));
      now = await resourceOf(one).change(now, base);
      expect(now.state, `${path} is undone`).toEqual(plain);
    }
    const everything = withEverything(one);
    now = await resourceOf(one).update(now, everything);
    const imported = await resourceOf(one).import({ id: idOf(one) });
    expect(imported.state).toEqual(now.state);
    await resourceOf(one).expectSettled(imported, everything);
    await resourceOf(one).destroy(now);
    expect(await resourceOf(one).find(now)).toBeNull();
  });

  test("created with everything, is reduced to the least by removing all other lines at once", async () => {
    const now = await resourceOf(one).create(withEverything(one)).catch(unlessUnforeseeable);
    if (now !== null) await resourceOf(one).destroy(await resourceOf(one).update(now, base));
  });

  test("survives answers that are lost, before and after the work", async () => {
    const { create, update, delete: remove } = callsOf(one);
    lose(create, false);
    await expect(resourceOf(one).create(base)).rejects.toThrow("The answer was lost");
    lose(create, true);
    let now = await resourceOf(one).create(base);
    let config = base;
    for (const [path, [first, second]] of attributes) {
      const before = config;
      const value = JSON.stringify(first) === JSON.stringify((base as Record<string, Input>)[path]) ? second : first;
      config = withValue(config, path, value);
      lose(update, true);
      now = await resourceOf(one).update(now, config);
      bench.simulator.faults.clear();
      lose(update, false);
      await expect(resourceOf(one).update(now, before), path).rejects.toThrow("The answer was lost");
      bench.simulator.faults.clear();
    }
    lose(remove, true);
    await resourceOf(one).destroy(now);
    expect(await resourceOf(one).find(now)).toBeNull();
  });

  test("is changed though another client changes the file at the same time", async () => {
    if ((definitionOf(one).definition.put ?? "patch") !== "patch") return;
    const now = await resourceOf(one).create(base);
    const [path = "", [first] = [null]] = attributes[0] ?? [];
    const reason = "detected modified configuration - file changed by other user? Try again.";
    bench.simulator.faults.order({ do: "answer", call: callsOf(one).update, status: 500, reason });
    await resourceOf(one).destroy(await resourceOf(one).update(now, withValue(base, path, first)));
  });

  test("that exists is refused in the plan with the import block, and at apply when it was created since", async () => {
    const plan = await resourceOf(one).plan(null, base);
    await restart();
    const now = await resourceOf(one).create(base);
    await restart();
    await expect(resourceOf(one).plan(null, base)).rejects.toThrow(`id = ${JSON.stringify(idOf(one))}`);
    await expect(resourceOf(one).apply(plan)).rejects.toThrow("exists already");
    await restart();
    await resourceOf(one).destroy(now);
  });

  test("that was removed by another client is found missing, and removing it again succeeds", async () => {
    const now = await resourceOf(one).create(base);
    await resourceOf(one).destroy(now);
    await restart();
    expect(await resourceOf(one).find(now)).toBeNull();
    await resourceOf(one).destroy(now);
  });

  test("is planned with values that are not known yet", async () => {
    for (const [path] of attributes) {
      await restart();
      // The harness compares the plan with the configuration: what is unknown must stay so.
      expect((await resourceOf(one).plan(null, withValue(base, path, unknown))).action, path).toBe("create");
    }
  });

  test.runIf(isReserved)("is refused to callers other than root@pam", async () => {
    await bench.configure();
    await expect(resourceOf(one).plan(null, base)).rejects.toThrow("Reserved for root@pam");
  });

  test.runIf(isReserved)("is managed with a token, and the password of root@pam for what is reserved", async () => {
    await bench.configure("root@pam!admin", { username: "root@pam", password: "proxmox" });
    const made = await resourceOf(one).create(base);
    await resourceOf(one).destroy(made);
  });

  test.skipIf(isReserved)("names each privilege that the caller lacks", async () => {
    const needed = await neededFor(bench, () => resourceOf(one).plan(null, base));
    expect(needed.length).toBeGreaterThan(0);
    await grant(bench, needed);
    await resourceOf(one).plan(null, base);
    for (const [index, [path, privilege]] of needed.entries()) {
      await grant(bench, needed.toSpliced(index, 1));
      const isNamed = new RegExp(`${path.replaceAll("/", "\\/")}: [^\\n]*${privilege.replace(".", "\\.")}`);
      await expect(resourceOf(one).plan(null, base), `${privilege} on ${path}`).rejects.toThrow(isNamed);
    }
  });

  test.skipIf(isReserved)("lives on the roles that `doctor role` prints for it", async () => {
    const user = `least-${cases.indexOf(one)}@pve`;
    const { stdout } = await type(run, ["--for", one.type, "--user", user], {});
    const { [`${user}!tf`]: secret } = await typeCommands(bench.simulator, stdout);
    await bench.configure("", { api_token: `${user}!tf=${secret}` });
    const now = await resourceOf(one).create(base);
    await resourceOf(one).destroy(await resourceOf(one).update(now, withEverything(one)));
    const { access } = bench.simulator.sim.world;
    for (const role of Object.keys(access.roles)) if (role.startsWith("terraform-")) delete access.roles[role];
  });

  test("is planned without a look at privileges where `permission_check` is off", async () => {
    await grant(bench, []);
    await bench.configure(`${poor}!tf`, { permission_check: "off" });
    await resourceOf(one).plan(null, base);
  });

  test("is of exactly one type", async () => {
    const { names } = definitionOf(one).model.variants;
    const given = names.find((name) => base[name] !== undefined);
    if (given === undefined) return;
    const { [given]: _, ...none } = base;
    await expect(resourceOf(one).plan(null, none)).rejects.toThrow("and none is");
    const others = cases.filter(({ type, base: other }) => type === one.type && other[given] === undefined);
    for (const { base: other } of others) {
      await expect(resourceOf(one).plan(null, { ...other, ...base })).rejects.toThrow(/Exactly one of .* are/);
    }
  });
});
