import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Attribute,
  type Attributes,
  bool,
  definitions,
  dynamic,
  int,
  list,
  map,
  nested,
  number,
  object,
  set,
  string,
  type Type,
  tuple,
} from "#framework";
import { Dynamic, type Input, unknown } from "../../../harness/value.ts";
import { Core, isError, plain, refuse } from "../core.ts";

/** Attributes of every mode and nesting, with every option. */
interface Surroundings {
  inSet?: boolean;
  /** Elements of a collection have one type, so none of them is of any type. */
  inCollection?: boolean;
  inComputed?: boolean;
  /** Members of a kept object are kept. */
  inKept?: boolean;
  /** Members of a local object are not computed. */
  inLocal?: boolean;
  /** Members of a write-only object are write-only. */
  inHidden?: boolean;
}

const attributes = (depth: number, around: Surroundings = {}): fc.Arbitrary<Attributes> =>
  fc.dictionary(fc.constantFrom("a", "b", "c", "d", "e"), attribute(depth, around), {
    minKeys: 1,
    maxKeys: 4,
    noNullPrototype: true,
  });

function attribute(depth: number, around: Surroundings): fc.Arbitrary<Attribute> {
  const { inSet, inComputed, inKept, inLocal, inHidden } = around;
  const given = ["required", "optional"] as const;
  // If one element of a set were configured exactly as the server creates another, both would be one: no schema should
  // allow it.
  const made = inSet ? (["computed"] as const) : (["optional_computed", "computed"] as const);
  const modes = inComputed ? ["computed" as const] : inLocal ? given : [...given, ...made];
  return fc.constantFrom(...modes).chain((mode) => {
    const computed = mode === "computed" || mode === "optional_computed";
    const special: Partial<Attribute>[] = inSet || inLocal ? [] : [{ local: true }, { writeOnly: true }];
    const rules: Partial<Attribute>[] = computed
      ? [{ keep: true }, ...(inKept ? [] : [{}])]
      : inHidden
        ? [{ writeOnly: true }]
        : [{}, {}, { sensitive: true }, ...special];
    return fc.constantFrom(...rules).chain((rule) => {
      const inside = {
        ...around,
        inComputed: mode === "computed",
        inKept: inKept || rule.keep === true,
        inLocal: inLocal || rule.local === true || rule.writeOnly === true,
        inHidden: inHidden || rule.writeOnly === true,
      };
      return types(depth, inside).map((type) => ({ type, mode, doc: "", ...rule }));
    });
  });
}

function types(depth: number, around: Surroundings): fc.Arbitrary<Type> {
  const makers: (() => Type)[] = [
    () => string(),
    () => int(),
    () => number(),
    () => bool(),
    () => list(string()),
    () => set(int()),
    () => map(bool()),
    () => tuple([string(), int()]),
    () => object({ x: string(), y: list(int()) }),
    ...(around.inCollection ? [] : [() => dynamic()]),
  ];
  const leaf = fc.constantFrom(...makers).map((make) => make());
  if (depth === 0) return leaf;
  const inner = attributes(depth - 1, around);
  // A write-only value has no place in a set.
  const canHoldSets = !around.inHidden;
  const element = attributes(depth - 1, { ...around, inCollection: true });
  const member = attributes(depth - 1, { ...around, inSet: true, inCollection: true });
  return fc.oneof(
    { arbitrary: leaf, weight: 3 },
    { arbitrary: inner.map((of): Type => nested(of)), weight: 1 },
    { arbitrary: element.map((of): Type => list(nested(of))), weight: 1 },
    { arbitrary: element.map((of): Type => map(nested(of))), weight: 1 },
    ...(canHoldSets ? [{ arbitrary: member.map((of): Type => set(nested(of))), weight: 1 }] : []),
  );
}

/** A possible configuration for them. */
function configs(of: Attributes, holes: boolean): fc.Arbitrary<Input> {
  const members = Object.entries(of)
    .filter(([, { mode }]) => mode !== "computed")
    .map(([name, { type, mode }]) => {
      const value = inputs(type, holes);
      const hole = holes ? [{ arbitrary: fc.constant<Input>(unknown), weight: 1 }] : [];
      const absent = mode === "required" ? [] : [{ arbitrary: fc.constant<Input>(null), weight: 3 }];
      return [name, fc.oneof({ arbitrary: value, weight: 6 }, ...hole, ...absent)] as const;
    });
  return fc.record(Object.fromEntries(members)) as fc.Arbitrary<Input>;
}

function inputs({ shape }: Type, holes: boolean): fc.Arbitrary<Input> {
  const few = { maxLength: 2 };
  switch (shape.kind) {
    case "string":
      return fc.constantFrom("", "x", "y", "é");
    case "bool":
      return fc.boolean();
    case "number":
      return shape.as === "int" ? fc.integer() : fc.constantFrom<Input>(0.1, -2.5, 7);
    case "dynamic":
      return fc.constantFrom<Input>(
        new Dynamic({ kind: "string" }, "x"),
        new Dynamic({ kind: "list", element: { kind: "string" } }, ["x"]),
        new Dynamic({ kind: "set", element: { kind: "string" } }, ["y", "x"]),
        new Dynamic({ kind: "object", attributes: { p: { kind: "bool" } } }, { p: true }),
      );
    case "list":
      return fc.array(inputs(shape.element, holes), few);
    case "set":
      return fc.uniqueArray(inputs(shape.element, false), { ...few, selector: keyOf });
    case "map":
      return fc.dictionary(fc.constantFrom("k", "l", "__proto__"), inputs(shape.element, holes), { maxKeys: 2 });
    case "tuple":
      return fc.tuple(...shape.elements.map((element) => inputs(element, holes))) as fc.Arbitrary<Input>;
    case "object":
      return fc.record(
        Object.fromEntries(Object.entries(shape.members).map(([name, type]) => [name, inputs(type, holes)])),
      ) as fc.Arbitrary<Input>;
    case "nested":
      return configs(shape.attributes, holes);
  }
}

/** Equal elements have equal keys, whatever the order of their members; some different ones do, too. */
function keyOf(item: unknown): string {
  if (Array.isArray(item)) return `[${item.map(keyOf).sort().join()}]`;
  if (item === null || typeof item !== "object") return JSON.stringify(item);
  const members = Object.entries(item).map(([key, member]) => `${key}:${keyOf(member)}`);
  return `{${members.sort().join()}}`;
}

/** A server that carries out requests and invents the other values: always the same ones where values are kept. */
class Echo {
  readonly objects = new Map<string, object>();
  #round = 0;

  fulfil(of: Attributes, desired: Readonly<Record<string, unknown>> | undefined): object {
    this.#round += 1;
    const stored = Object.entries(of).filter(([, { local, writeOnly }]) => !local && !writeOnly);
    return Object.fromEntries(
      stored.map(([name, { type, mode, keep }]) => {
        const given = mode === "computed" ? undefined : desired?.[name];
        return [name, given === undefined ? this.#invent(type, keep ? 0 : this.#round) : this.#complete(type, given)];
      }),
    );
  }

  #complete({ shape }: Type, given: unknown): unknown {
    if (given === null) return null;
    if (shape.kind === "nested") return this.fulfil(shape.attributes, given as Record<string, unknown>);
    if ((shape.kind === "list" || shape.kind === "set") && shape.element.shape.kind === "nested") {
      return (given as unknown[]).map((item) => this.#complete(shape.element, item));
    }
    if (shape.kind === "map" && shape.element.shape.kind === "nested") {
      const items = Object.entries(given as object).map(([key, item]) => [key, this.#complete(shape.element, item)]);
      return Object.fromEntries(items);
    }
    return given;
  }

  #invent({ shape }: Type, round: number): unknown {
    switch (shape.kind) {
      case "string":
        return `made up ${round}`;
      case "bool":
        return round % 2 === 0;
      case "number":
        return round;
      case "dynamic":
        return [`made up ${round}`];
      case "list":
      case "set":
        return [this.#invent(shape.element, round)];
      case "map":
        return { key: this.#invent(shape.element, round) };
      case "tuple":
        return shape.elements.map((element) => this.#invent(element, round));
      case "object":
        return Object.fromEntries(
          Object.entries(shape.members).map(([name, type]) => [name, this.#invent(type, round)]),
        );
      case "nested":
        return Object.fromEntries(
          Object.entries(shape.attributes)
            .filter(([, { local, writeOnly }]) => !local && !writeOnly)
            .map(([name, { type, keep }]) => [name, this.#invent(type, keep ? 0 : round)]),
        );
    }
  }
}

const TYPE = "echo_thing";

function echo(of: Attributes, api: Echo) {
  const { defineProvider, defineResource } = definitions<Echo>();
  const thing = defineResource({
    type: TYPE,
    doc: "",
    identity: ["key"],
    attributes: { ...of, key: { type: string(), mode: "computed", doc: "" } } as Attributes,
    create: ({ desired }) => {
      api.objects.set("1", api.fulfil(of, desired));
      return { key: "1" };
    },
    read: ({ id }) => {
      const found = api.objects.get(String(id["key"]));
      return found ? { ...found, key: id["key"] } : null;
    },
    update: ({ id, desired }) => {
      api.objects.set(String(id["key"]), api.fulfil(of, desired));
    },
    delete: ({ id }) => {
      api.objects.delete(String(id["key"]));
    },
  });
  return defineProvider({
    name: "echo",
    doc: "",
    attributes: {},
    resources: { [TYPE]: () => thing },
    configure: () => api,
  });
}

const cases = attributes(2).chain((of) =>
  fc.record({ of: fc.constant(of), first: configs(of, false), second: configs(of, false), vague: configs(of, true) }),
);

describe("any resource with any configuration", () => {
  it("is planned, applied, updated and deleted by Terraform's rules, and then planned without change", async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ({ of, first, second, vague }) => {
        const core = await Core.start(echo(of, new Echo()));
        refuse(await core.validate(TYPE, first));
        const created = await core.reach(TYPE, first);
        refuse((await core.plan(TYPE, vague, created)).diagnostics);
        refuse((await core.plan(TYPE, vague)).diagnostics);
        const updated = await core.reach(TYPE, second, created);
        const refreshed = await core.refresh(TYPE, updated);
        expect(plain(refreshed.state)).toEqual(plain(updated.state));
        const gone = await core.apply(TYPE, await core.plan(TYPE, null, refreshed));
        expect(gone.diagnostics.filter(isError)).toEqual([]);
        expect(gone.state).toBeNull();
      }),
      { numRuns: 300 },
    );
  }, 60_000);
});
