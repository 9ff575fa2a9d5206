import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** Ids of the processes whose command line contains the text. Linux only, as the tests that need it are. */
export function processesWith(text: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => commandLine(pid).includes(text))
    .map(Number);
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return "";
  }
}

/** Waits for a fact, looking often; fails with the question when it does not come true. */
export async function eventually(
  question: string,
  holds: () => boolean | Promise<boolean>,
  within = 10_000,
): Promise<void> {
  const end = Date.now() + within;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`not within ${within / 1000} s: ${question}`);
    await sleep(20);
  }
}
