import { describe, expect, it } from "vitest";
import { type RetryPolicy, retry } from "../../../src/pve/retry.ts";

const failure = new Error("not now");
const policy: RetryPolicy = { attempts: 3, isWorthRetrying: (error) => error === failure };

/** Work that fails so many times, and the numbers of its attempts. */
function failing(times: number, error = failure) {
  const numbers: number[] = [];
  const attempt = async (number: number) => {
    numbers.push(number);
    if (number <= times) {
      throw error;
    }
    return "done";
  };
  return { numbers, attempt };
}

describe("retry", () => {
  it("returns the first success and counts the attempts from 1", async () => {
    const { numbers, attempt } = failing(2);
    await expect(retry(policy, attempt)).resolves.toBe("done");
    expect(numbers).toEqual([1, 2, 3]);
  });

  it("fails with the last error, unchanged, after the last attempt", async () => {
    const { numbers, attempt } = failing(9);
    await expect(retry(policy, attempt)).rejects.toBe(failure);
    expect(numbers).toEqual([1, 2, 3]);
  });

  it("does not repeat what the policy excludes", async () => {
    const other = new Error("never");
    const { numbers, attempt } = failing(9, other);
    await expect(retry(policy, attempt)).rejects.toBe(other);
    expect(numbers).toEqual([1]);
  });

  it("announces each repetition with its wait, and none after the last attempt", async () => {
    const announced: unknown[] = [];
    const onRetry: RetryPolicy["onRetry"] = (error, next) => announced.push({ error, ...next });
    await expect(retry({ ...policy, attempts: 4, waitsMs: [1, 2], onRetry }, failing(9).attempt)).rejects.toBe(failure);
    expect(announced).toEqual([
      { error: failure, attempt: 1, waitMs: 1 },
      { error: failure, attempt: 2, waitMs: 2 },
      { error: failure, attempt: 3, waitMs: 2 },
    ]);
  });

  it("ends a wait when the caller aborts, with the caller's reason", async () => {
    const controller = new AbortController();
    const onRetry = () => void setTimeout(() => controller.abort(new Error("enough")), 5);
    const waiting = { ...policy, waitsMs: [60_000], onRetry, signal: controller.signal };
    await expect(retry(waiting, failing(1).attempt)).rejects.toThrow("enough");
  });

  it("does not start once the caller has aborted", async () => {
    const { numbers, attempt } = failing(0);
    const signal = AbortSignal.abort(new Error("too late"));
    await expect(retry({ ...policy, signal }, attempt)).rejects.toThrow("too late");
    expect(numbers).toEqual([]);
  });

  it("keeps the result of an attempt that succeeds while the caller aborts", async () => {
    const controller = new AbortController();
    const attempt = async () => {
      controller.abort(new Error("enough"));
      return "created";
    };
    await expect(retry({ ...policy, signal: controller.signal }, attempt)).resolves.toBe("created");
  });
});
