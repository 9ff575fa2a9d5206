import { describe, expect, test } from "vitest";
import { growth, settled, type Vitals } from "../../../programs/soak/vitals.ts";

const allKinds = 4;

/** A sample every thousand operations; each kind adds 3 MB when it is first used, and each thousand operations `leakMb`. */
const run = (kindsBySample: readonly number[], leakMb: number): Vitals[] =>
  kindsBySample.map((kinds, index) => ({
    ...{ operations: (index + 1) * 1_000, kinds, sockets: 8, timers: 2, handles: 19 },
    heapMb: 20 + 3 * kinds + leakMb * index,
    rssMb: 150,
  }));

describe("the memory of a long run", () => {
  test("is flat although each kind of object loads its modules at its first use", () => {
    const samples = run([0, 1, 1, 2, 3, 4, 4, 4, 4, 4], 0);
    expect(growth(samples, "heapMb")).toBeGreaterThan(1);
    expect(growth(settled(samples, allKinds), "heapMb")).toBeCloseTo(0);
  });

  test("grows if the process leaks", () => {
    expect(growth(settled(run([0, 1, 1, 2, 3, 4, 4, 4, 4, 4], 1.5), allKinds), "heapMb")).toBeCloseTo(1.5);
  });

  test("is not judged before every kind was used, nor in the first fifth", () => {
    expect(settled(run([0, 1, 2, 3], 0), allKinds)).toEqual([]);
    expect(settled(run([4, 4, 4, 4, 4, 4, 4, 4, 4, 4], 0), allKinds)).toHaveLength(8);
  });
});
