import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test, vi } from "vitest";
import { PlannedObjects } from "../../../src/kit/planned-objects.ts";

const patienceMs = 60_000;
const { signal } = new AbortController();

afterEach(() => vi.restoreAllMocks());

describe("waiting for an object of the same plan", () => {
  test.each([
    ["is not planned", () => {}],
    [
      "exists already",
      (planned: PlannedObjects) => {
        planned.add("pool", "blue");
        planned.fulfil("pool", "blue");
      },
    ],
  ])("takes no timer if it %s", async (_, prepare) => {
    const timeout = vi.spyOn(AbortSignal, "timeout");
    const planned = new PlannedObjects();
    prepare(planned);
    await planned.created("pool", "blue", patienceMs, signal);
    expect(timeout).not.toHaveBeenCalled();
  });

  test("ends when it is created", async () => {
    const planned = new PlannedObjects();
    planned.add("pool", "blue");
    const waiting = planned.created("pool", "blue", patienceMs, signal).then(() => "created");
    expect(await Promise.race([waiting, sleep(20, "waiting")])).toBe("waiting");
    planned.fulfil("pool", "blue");
    expect(await waiting).toBe("created");
  });

  test("ends when its patience does", async () => {
    const planned = new PlannedObjects();
    planned.add("pool", "blue");
    await planned.created("pool", "blue", 10, signal);
  });
});
