import { die, failureText } from "../core/kernel/failure.ts";
import type { Task } from "../core/kernel/process.ts";

// `migrate` of pve-guest-common `src/PVE/AbstractMigrate.pm`: the log of every migration.

export type MigrationLog = (text: string, mark?: string) => void;

export function timestamp(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 19).replace("T", " ");
}

export function duration(seconds: number): string {
  const parts = [seconds / 3600, (seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(Math.floor(part)).padStart(2, "0")).join(":");
}

/** Operations that clean up after themselves catch SIGTERM and report it with another text. */
export function failureReason(thrown: unknown): string {
  const text = failureText(thrown);
  return text === "received interrupt\n" ? "interrupted by signal\n" : text;
}

/** Runs a migration; `body` resolves to true if it could not clean up. */
export async function withMigrationLog(task: Task, body: (log: MigrationLog) => Promise<boolean>): Promise<void> {
  const { clock } = task.sim;
  const started = clock.now();
  const print = (text: string, mark = "") => task.print(`${timestamp(clock.now())}${mark} ${text}`);
  let hasProblems = false;
  try {
    hasProblems = await body(print);
  } catch (thrown) {
    print(`migration aborted (duration ${duration(clock.since(started))}): ${failureReason(thrown)}`, " ERROR:");
    die("migration aborted");
  }
  if (hasProblems) {
    print(`migration finished with problems (duration ${duration(clock.since(started))})`, " ERROR:");
    die("migration problems");
  }
  print(`migration finished successfully (duration ${duration(clock.since(started))})`);
}
