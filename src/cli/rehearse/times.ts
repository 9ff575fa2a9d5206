import type { Fields } from "../export/reader.ts";
import type { MeasuredSpeed } from "../export/speeds.ts";

const mebibyte = 2 ** 20;

/** For storages that no past task shows. */
const assumedBytesPerSecond = 200 * mebibyte;

/** Where the estimates come from. */
export interface SpeedSource {
  readonly storage: string;
  readonly mebibytesPerSecond: number;
  /** `assumed`, or what it was measured in: `4 copies`. */
  readonly from: string;
}

/** A seed whose storages all have a speed, and where each comes from. */
export function withSpeeds(seed: Fields, speeds: readonly MeasuredSpeed[]) {
  const sources: SpeedSource[] = [];
  const storages = ((seed["storages"] ?? []) as readonly Fields[]).map((one) => {
    const measured = speeds.find(({ storage }) => storage === one["storage"]);
    const bytes = measured?.bytesPerSecond ?? assumedBytesPerSecond;
    sources.push({
      storage: String(one["storage"]),
      mebibytesPerSecond: Math.max(1, Math.round(bytes / mebibyte)),
      from: measured === undefined ? "assumed" : `${measured.tasks} past ${measured.from}`,
    });
    return { ...one, bytes_per_second: bytes };
  });
  return { seed: { ...seed, storages }, sources };
}

/** The seconds in which at least one of them was running. */
export function spanOf(tasks: readonly { readonly from: number; readonly to: number }[]): number {
  let [seconds, end] = [0, 0];
  for (const { from, to } of [...tasks].sort((a, b) => a.from - b.from)) {
    seconds += Math.max(0, to - Math.max(from, end));
    end = Math.max(end, to);
  }
  return seconds;
}

export const shownSeconds = (seconds: number): string =>
  seconds < 120 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;

/** One sentence for a person: which storages were measured, and which were not. */
export function describeSources(sources: readonly SpeedSource[], seconds: number): string {
  const measured = sources.filter(({ from }) => from !== "assumed");
  const assumed = sources.filter(({ from }) => from === "assumed");
  return [
    `Together about ${shownSeconds(seconds)}. Estimated from the speeds of storages:`,
    ...measured.map((one) => `  ${one.storage}: ${one.mebibytesPerSecond} MiB/s, measured in ${one.from}`),
    ...(assumed.length === 0
      ? []
      : [
          `  ${assumed.map(({ storage }) => storage).join(", ")}: ${assumed[0]?.mebibytesPerSecond} MiB/s, assumed, since no past task shows it`,
        ]),
  ].join("\n");
}
