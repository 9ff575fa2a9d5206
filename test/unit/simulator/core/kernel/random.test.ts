import { describe, expect, test } from "vitest";
import { type Random, seededRandom, systemRandom } from "../../../../../src/simulator/core/kernel/random.ts";

describe.each<[string, () => Random]>([
  ["the system's", systemRandom],
  ["a seeded", () => seededRandom("x")],
])("%s source of chance", (_, source) => {
  test("makes UUIDs of version 4", () => {
    expect(source().uuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  test("makes MAC addresses under the cluster's prefix, in upper case", () => {
    expect(source().mac("bc:24:11")).toMatch(/^BC:24:11(?::[0-9A-F]{2}){3}$/);
  });

  test("stays below the limit", () => {
    const random = source();
    expect(Array.from({ length: 100 }, () => random.below(3)).every((number) => number >= 0 && number < 3)).toBe(true);
  });
});

test("the same seed gives the same sequence, which does not repeat itself", () => {
  const draw = (random: Random) => [random.uuid(), random.uuid(), random.mac("02")];
  expect(draw(seededRandom("a"))).toEqual(draw(seededRandom("a")));
  expect(new Set(draw(seededRandom("a"))).size).toBe(3);
  expect(draw(seededRandom("a"))).not.toEqual(draw(seededRandom("b")));
});
