import { readdirSync, readFileSync } from "node:fs";

/** What a provider's processes used during one command. */
export interface Usage {
  cpuSeconds: number;
  /** Of the largest of them. */
  peakBytes: number;
}

const sampleMs = 25;
const ticksPerSecond = 100;

/**
 * Watches the children of a process, which for Terraform are its providers. The kernel keeps the sums and the peak, so
 * occasional polls miss only what happens after the last one. Linux only.
 */
export function watchChildren(parent: number): { end(): Usage } {
  const seen = new Map<number, Usage>();
  const look = () => {
    for (const pid of childrenOf(parent)) {
      const usage = usageOf(pid);
      // A process that has ended and was not collected yet has no memory.
      if (usage) seen.set(pid, { ...usage, peakBytes: Math.max(usage.peakBytes, seen.get(pid)?.peakBytes ?? 0) });
    }
  };
  const timer = setInterval(look, sampleMs);
  return {
    end() {
      clearInterval(timer);
      const all = [...seen.values()];
      return {
        cpuSeconds: all.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
        peakBytes: Math.max(0, ...all.map(({ peakBytes }) => peakBytes)),
      };
    },
  };
}

function childrenOf(parent: number): number[] {
  try {
    const threads = readdirSync(`/proc/${parent}/task`);
    return threads
      .flatMap((thread) => readFileSync(`/proc/${parent}/task/${thread}/children`, "utf8").split(" "))
      .filter((text) => text !== "")
      .map(Number);
  } catch {
    return [];
  }
}

/** What a process has used so far. */
export function usageOf(pid: number): Usage | undefined {
  try {
    // After the name, which may contain spaces; user and system time are the 14th and 15th field.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    const peak = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return {
      cpuSeconds: (Number(fields[11]) + Number(fields[12])) / ticksPerSecond,
      peakBytes: Number(peak ?? 0) * 1_024,
    };
  } catch {
    return undefined;
  }
}
