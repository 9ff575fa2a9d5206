import { expect, test } from "vitest";
import { mapAhead } from "../../../../src/framework/server/map-ahead.ts";

const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test("results come in the order of the items, however long each takes", async () => {
  const delays = [30, 1, 20, 0, 10];
  const found: number[] = [];
  const slowly = async (item: number) => {
    await later(delays[item] ?? 0);
    return item;
  };
  for await (const one of mapAhead([0, 1, 2, 3, 4], 3, slowly)) found.push(one);
  expect(found).toEqual([0, 1, 2, 3, 4]);
});

test("as many items as allowed are under way at a time, and no more", async () => {
  let [now, most] = [0, 0];
  const work = async () => {
    most = Math.max(most, ++now);
    await later(2);
    now -= 1;
  };
  for await (const _ of mapAhead(Array.from({ length: 20 }), 4, work));
  expect(most).toBe(4);
});

test("a failure is thrown in its turn, and one that is not reached is not", async () => {
  const fail = async (item: number) => {
    if (item === 2) throw new Error("two");
    return item;
  };
  const found: number[] = [];
  const all = async () => {
    for await (const one of mapAhead([0, 1, 2, 3], 4, fail)) found.push(one);
  };
  await expect(all()).rejects.toThrow("two");
  expect(found).toEqual([0, 1]);
  for await (const one of mapAhead([0, 1, 2], 3, fail)) if (one === 1) break;
});
