import { describe, expect, test } from "vitest";
import { realClock } from "../../../../../src/simulator/core/kernel/clock.ts";
import { LockTable } from "../../../../../src/simulator/core/kernel/lock-table.ts";

/** A thousand simulated seconds pass in one. */
const table = () => new LockTable(realClock(1000));

describe("a lock", () => {
  test("is held by one caller at a time, in the order of requests", async () => {
    const locks = table();
    const order: string[] = [];
    const first = await locks.acquire("a", false, 10);
    const take = async (name: string) => {
      const release = await locks.acquire("a", false, 60);
      order.push(name);
      release?.();
    };
    const waiting = [take("second"), take("third")];
    first?.();
    await Promise.all(waiting);
    expect(order).toEqual(["second", "third"]);
    expect(locks.isHeld("a")).toBe(false);
  });

  test("fails after the timeout, without blocking the next in line", async () => {
    const locks = table();
    const holder = await locks.acquire("a", false, 10);
    expect(await locks.acquire("a", false, 5)).toBeUndefined();
    const patient = locks.acquire("a", false, 1000);
    holder?.();
    expect(await patient).toBeTypeOf("function");
  });

  test("can be shared, also past a caller that waits for exclusive access", async () => {
    const locks = table();
    const one = await locks.acquire("a", true, 1);
    const alone = locks.acquire("a", false, 1000);
    const two = locks.tryAcquire("a", true);
    expect(two).toBeTypeOf("function");
    one?.();
    two?.();
    expect(await alone).toBeTypeOf("function");
    expect(locks.tryAcquire("a", true)).toBeUndefined();
  });

  test("is released once, however often `release` is called", async () => {
    const locks = table();
    const one = await locks.acquire("a", true, 1);
    const two = await locks.acquire("a", true, 1);
    one?.();
    one?.();
    expect(locks.isHeld("a")).toBe(true);
    two?.();
    expect(locks.isHeld("a")).toBe(false);
  });

  test("is no longer waited for once the wait is aborted", async () => {
    const locks = table();
    const holder = await locks.acquire("a", false, 1);
    const abort = new AbortController();
    const waiting = locks.acquire("a", false, 1000, abort.signal);
    abort.abort();
    await expect(waiting).rejects.toThrow();
    holder?.();
    expect(locks.isHeld("a")).toBe(false);
  });
});
