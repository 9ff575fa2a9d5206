import { type FileId, type FileWork, findFile, isLost, proveLost, step } from "#kit";

interface Fetching {
  /** Starts the task that brings the file. */
  readonly submit: () => Promise<string>;
  /** The task, by which a lost answer is looked up. */
  readonly task: { readonly type: string; readonly id: string };
}

/** Has a node fetch a file, and waits for it. A file gets its name when all of it has arrived: that proves a lost answer. */
export async function fetchByTask(work: FileWork, id: FileId, { submit, task }: Fetching): Promise<void> {
  const { api, log, signal } = work;
  await step(log, "download", { volume: id.volume_id }, async () => {
    try {
      await api.operations.write({ what: `download ${id.volume_id}`, submit, signal });
    } catch (reason) {
      if (!isLost(reason)) throw reason;
      await proveLost(api, reason, {
        node: id.node,
        task,
        findMark: async () => ((await findFile(work, id)) === null ? "absent" : "ours"),
        signal,
      });
    }
  });
}
