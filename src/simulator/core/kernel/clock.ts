import { setTimeout as wait } from "node:timers/promises";

/**
 * The time of the simulated cluster. Time stamps are real, so that they match the client's; durations are divided by
 * `speed`: at speed 20 a task of 12 s ends after 0.6 s, and a guest that boots for 5 s answers after 0.25 s.
 */
export interface Clock {
  readonly speed: number;
  /** Seconds since the epoch, with a fraction. */
  now(): number;
  /** Whole seconds since the epoch, for time stamps that are stored and shown. */
  stamp(): number;
  /** Simulated seconds that have passed since a time stamp of this clock. */
  since(time: number): number;
  /** Waits for that many simulated seconds. */
  sleep(seconds: number, signal?: AbortSignal): Promise<void>;
}

export function realClock(speed = 1): Clock {
  const now = () => Date.now() / 1000;
  return {
    speed,
    now,
    stamp: () => Math.floor(now()),
    since: (time) => (now() - time) * speed,
    sleep: async (seconds, signal) => {
      await wait((seconds * 1000) / speed, undefined, { signal, ref: false });
    },
  };
}

/** 2026-01-01 00:00:00 UTC. */
const firstStamp = 1_767_225_600;

/**
 * The same time stamps in every run: each is one second after the previous one. Durations are those of the real clock.
 */
export function repeatableClock(speed = 1): Clock {
  let next = firstStamp;
  return { ...realClock(speed), stamp: () => next++ };
}
