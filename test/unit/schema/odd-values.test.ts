import { describe, expect, test } from "vitest";
import { registry } from "../../../src/registry.ts";
import { Decimal, type Input, unknown } from "../../harness/value.ts";
import { configurables, isReadOnly, type Place, placesIn } from "./places.ts";

const writable = (one: (typeof configurables)[number]): Place[] =>
  placesIn(one.body).filter(({ attribute }) => !isReadOnly(attribute));

describe("a number of absurd size", () => {
  const cases = configurables.flatMap((one) => {
    const numbers = writable(one).filter(({ attribute }) => attribute.type.kind === "number");
    return numbers.length === 0 ? [] : [{ ...one, numbers }];
  });

  test("there are numbers to try", () => {
    expect(cases.length).toBeGreaterThan(30);
  });

  test.each(cases)(
    "is refused by $name with attribute and value",
    async ({ numbers, validate }) => {
      for (const { path, wrap } of numbers) {
        for (const shown of ["1e999", "-1e9999", "1e-9999"]) {
          const found = await validate(wrap(Decimal.from(shown)));
          const about = found.filter(({ detail }) => detail.includes(path) && detail.includes(shown));
          expect([path, shown, about.map(({ summary }) => summary)]).toEqual([path, shown, ["Invalid value"]]);
        }
      }
    },
    120_000,
  );
});

describe("a value that is null or not known yet", () => {
  test.each(configurables)(
    "is no bug of the provider in $name",
    async (one) => {
      const inside = (value: Input): Input[] => [value, [value], { x0: value }];
      for (const { path, wrap, attribute } of placesIn(one.body)) {
        const kind = attribute.nested ? attribute.nested.nesting : attribute.type.kind;
        const fits = (value: Input) =>
          Array.isArray(value) ? kind === "list" || kind === "set" : value?.constructor !== Object || kind === "map";
        for (const value of [...inside(null), ...inside(unknown)].filter(fits)) {
          const found = await one.validate(wrap(value));
          const bugs = found.filter(
            ({ summary, detail }) => /^Bug in the provider/.test(summary) || detail.includes("does not fit"),
          );
          expect([path, bugs]).toEqual([path, []]);
        }
      }
    },
    120_000,
  );
});

describe("what a message names instead of a read-only attribute", () => {
  const cases = configurables.flatMap((one) => {
    const texts = placesIn(one.body).filter(({ attribute }) => isReadOnly(attribute));
    return texts.map((place) => ({ ...one, ...place, title: `${one.name}.${place.path}` }));
  });

  const spelled = (path: string) => path.replaceAll(/\["x0"\]|\[0\]/g, ".*");
  const places = new Map(
    configurables.map(({ name, body }) => [name, new Set(placesIn(body).map(({ path }) => spelled(path)))]),
  );

  /** Names in `backticks` are places of the schema, those of a VM, or types of the provider. */
  const exists = (name: string, of: string): boolean =>
    Object.hasOwn(registry.resources, name) ||
    [of, "resources proxmox_vm"].some((type) => places.get(type)?.has(name.replace("SLOT", "*")));

  test.each(cases)("exists: $title", async (one) => {
    const refused = (await one.validate(one.wrap(unknown))).filter(({ summary }) => summary === "Read-only attribute");
    const [, instead = ""] = (refused[0]?.detail ?? "").split("only the provider sets it. ");
    expect(instead).not.toBe("");
    const named = [...instead.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
    expect(named.filter((name) => !exists(name, one.name))).toEqual([]);
  });
});
