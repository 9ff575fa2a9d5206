import { expect, it } from "vitest";
import { describeSources, shownSeconds, spanOf, withSpeeds } from "../../../../src/cli/rehearse/times.ts";

const seed = { storages: [{ storage: "fast" }, { storage: "nas" }, { storage: "usb" }] };

it("gives each storage its measured speed, or one that it says is assumed", () => {
  const measured = [{ storage: "fast", bytesPerSecond: 500 * 2 ** 20, tasks: 4, from: "copies" as const }];
  const { seed: timed, sources } = withSpeeds(seed, measured);
  expect(timed.storages.map((one) => one.bytes_per_second / 2 ** 20)).toEqual([500, 200, 200]);
  expect(describeSources(sources, 300)).toBe(
    [
      "Together about 5 min. Estimated from the speeds of storages:",
      "  fast: 500 MiB/s, measured in 4 past copies",
      "  nas, usb: 200 MiB/s, assumed, since no past task shows it",
    ].join("\n"),
  );
});

it("counts the time of tasks that run side by side once", () => {
  const tasks = [
    { from: 10, to: 20 },
    { from: 12, to: 15 },
    { from: 18, to: 25 },
    { from: 40, to: 41 },
  ];
  expect(spanOf(tasks)).toBe(16);
});

it.each([
  [0.4, "0 s"],
  [93, "93 s"],
  [600, "10 min"],
])("shows %s seconds as %s", (seconds, text) => expect(shownSeconds(seconds)).toBe(text));
