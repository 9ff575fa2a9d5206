import { readTexts } from "../error-texts.ts";
import { PveError } from "../errors.ts";
import { isWarningLine, readExitStatus } from "../single-texts.ts";
import type { TaskCalls } from "../tasks.ts";

/** A successful task. */
export interface TaskResult {
  readonly upid: string;
  /** Log lines that PVE counted as warnings: done, but something was left behind. */
  readonly warnings: readonly string[];
}

/** Enough to see what led to a failure. */
const tailLines = 20;

/** The meaning of a finished task's exit status; the log is read only when there is something to explain. */
export async function resultOf(tasks: TaskCalls, upid: string, exitStatus: string): Promise<TaskResult> {
  const exit = readExitStatus(exitStatus);
  switch (exit.kind) {
    case "ok":
      return { upid, warnings: [] };
    case "warnings": {
      const lines = (await readTail(tasks, upid, 500)).filter(isWarningLine);
      return { upid, warnings: lines.length > 0 ? lines : [exitStatus] };
    }
    case "failed": {
      const reading = readTexts([exitStatus], undefined);
      throw new PveError(reading?.kind ?? "task", exitStatus, {
        upid,
        isQuoted: true,
        log: await readTail(tasks, upid, tailLines),
        ...(reading?.lock && { lock: reading.lock }),
        ...(reading?.missing && { missing: reading.missing }),
      });
    }
  }
}

/** The last lines of a log. A failure to read the log must not hide the failure of the task. */
async function readTail(tasks: TaskCalls, upid: string, count: number): Promise<readonly string[]> {
  try {
    const { lines, total } = await tasks.log(upid, { start: 0, limit: count });
    return total <= count ? lines : (await tasks.log(upid, { start: total - count, limit: count })).lines;
  } catch {
    return [];
  }
}
