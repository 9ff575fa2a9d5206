import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Ids of the processes that have all these texts in their command line or environment. Linux only, as the tests that
 * need it are.
 */
export function processesWith(...texts: string[]): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      const about = `${read(pid, "cmdline")}\0${read(pid, "environ")}`;
      return texts.every((text) => about.includes(text));
    })
    .map(Number);
}

function read(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return ""; // it has ended, or belongs to another user
  }
}

/** Waits until a condition holds; fails with its description if it does not. */
export async function eventually(fact: string, holds: () => boolean, within = 10_000): Promise<void> {
  const end = Date.now() + within;
  while (!holds()) {
    if (Date.now() > end) throw new Error(`not within ${within / 1_000} s: ${fact}`);
    await sleep(20);
  }
}
