import { expect, test } from "vitest";
import { RunStore } from "../../../src/kit/run-store.ts";

test("a question is asked once, and a failure is not remembered", async () => {
  const store = new RunStore();
  let asked = 0;
  const ask = async () => {
    asked += 1;
    if (asked === 1) throw new Error("no answer");
    return asked;
  };
  await expect(store.remember("q", ask)).rejects.toThrow("no answer");
  expect(await Promise.all([store.remember("q", ask), store.remember("q", ask)])).toEqual([2, 2]);
  expect(await store.remember("q", ask)).toBe(2);
});

test("what a write may have changed is asked again, even if the write failed", async () => {
  const store = new RunStore();
  let answer = 1;
  const ask = async () => answer;
  await store.remember("q", ask);
  answer = 2;
  await expect(store.changing("q", () => Promise.reject(new Error("lost")))).rejects.toThrow("lost");
  expect(await store.remember("q", ask)).toBe(2);
});

test("an answer that many share while it is under way is not kept", async () => {
  const store = new RunStore();
  let asked = 0;
  const ask = async () => ++asked;
  expect(await Promise.all([store.together("q", ask), store.together("q", ask)])).toEqual([1, 1]);
  expect(await store.together("q", ask)).toBe(2);
});

test("answers of one look at the cluster end with it", async () => {
  const store = new RunStore();
  const [first, second] = [{}, {}];
  expect(await store.of(first).remember("q", async () => 1)).toBe(1);
  expect(await store.of(first).remember("q", async () => 2)).toBe(1);
  expect(await store.of(second).remember("q", async () => 3)).toBe(3);
});

test("something kept is created once", () => {
  const store = new RunStore();
  store.keep("names", () => new Set<string>()).add("web");
  expect(store.keep("names", () => new Set<string>()).has("web")).toBe(true);
});

test("answers to questions of one kind are forgotten together", async () => {
  const store = new RunStore();
  for (const question of ["/sdn/a", "/sdn/b", "/other"]) await store.remember(question, async () => 1);
  store.forgetUnder("/sdn/");
  const again = await Promise.all(["/sdn/a", "/sdn/b", "/other"].map((q) => store.remember(q, async () => 2)));
  expect(again).toEqual([2, 2, 1]);
});
