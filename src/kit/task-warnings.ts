import { AsyncLocalStorage } from "node:async_hooks";
import type { Report } from "#framework";

/** A line of a task's log that Proxmox VE counted as a warning. */
interface TaskWarning {
  readonly task: string;
  readonly line: string;
}

const current = new AsyncLocalStorage<TaskWarning[]>();

/** Notes the warnings of a task for the operation that waited for it. */
export function noteTaskWarnings(task: string, lines: readonly string[]): void {
  current.getStore()?.push(...lines.map((line) => ({ task, line })));
}

/** The operation explains these lines itself. */
export function explainTaskWarnings(lines: readonly string[]): void {
  const noted = current.getStore();
  if (noted) noted.splice(0, noted.length, ...noted.filter(({ line }) => !lines.includes(line)));
}

/** A task with warnings is a success (`WARNINGS: n`), so without this its lines are in the task's log only. */
export async function reportingTaskWarnings<T>(
  report: Pick<Report, "warning">,
  subject: string,
  work: () => Promise<T>,
): Promise<T> {
  const noted: TaskWarning[] = [];
  try {
    return await current.run(noted, work);
  } finally {
    for (const [task, warnings] of Map.groupBy(noted, (one) => one.task)) {
      const lines = new Set(warnings.map(({ line }) => line.replace(/^WARN(ING)?: /, "")));
      report.warning(
        null,
        "Task completed with warnings",
        `Proxmox VE completed a task on ${subject} and warns:\n${[...lines].map((line) => `- ${line}`).join("\n")}\nIts log is in the web interface under *Tasks*: ${task}.`,
      );
    }
  }
}
