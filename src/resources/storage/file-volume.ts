import {
  alreadyExists,
  bytesIn,
  Failure,
  type FileId,
  type FileWork,
  findFile,
  isPveError,
  type ListFiles,
  parseFileVolume,
  type Session,
  step,
  trackCreate,
} from "#kit";
import type { PveError, Volume } from "#pve";

export const idOf = ({ node, volume_id }: FileId): string => `${node}/${volume_id}`;

/** One answer for all who ask at the same time: a refresh asks for every file of a storage, and some lists are long. */
export function listTogether(api: Session, node: string): ListFiles {
  return ({ storage, content }) =>
    api.store.together(`files on ${node}/${storage}:${content}`, () =>
      api.storage.listVolumes(node, storage, { content }),
    );
}

/** The message of the guard, the same in plan and apply. */
export function fileExists(type: string, id: FileId, found: Volume): { summary: string; detail: string } {
  const bytes = bytesIn(found);
  return alreadyExists({
    type,
    id: idOf(id),
    label: `File ${id.volume_id}`,
    known: `${bytes === undefined ? "a file" : `${bytes} bytes`} on ${id.node}, maybe left by an interrupted run`,
    otherwise: "Otherwise choose another `name`, or set `overwrite = true` to have it overwritten.",
  });
}

/** Creates a file that does not exist and that no other resource is creating, unless it may be overwritten. */
export async function makeFile(
  work: FileWork & { created(id: FileId): void },
  wanted: { readonly type: string; readonly id: FileId; readonly mayOverwrite: boolean },
  make: (existing: Volume | null) => Promise<void>,
): Promise<FileId> {
  const { type, id, mayOverwrite } = wanted;
  const making = work.api.store.keep("files being created", () => new Set<string>());
  if (making.has(id.volume_id)) {
    throw new Failure("File is being made", `Another resource is making ${id.volume_id} right now.`, { path: "name" });
  }
  making.add(id.volume_id);
  try {
    const existing = await findFile(work, id);
    if (existing !== null && !mayOverwrite) {
      const { summary, detail } = fileExists(type, id, existing);
      throw new Failure(summary, detail, { path: "name" });
    }
    await trackCreate(work, { id, label: `file ${id.volume_id}` }, () => make(existing));
    return id;
  } finally {
    making.delete(id.volume_id);
  }
}

/** Removes a file and waits until it is gone; one that was removed by another client is gone, too. */
export async function removeFile(work: FileWork, id: FileId): Promise<void> {
  const { api, log, signal } = work;
  const { storage = "" } = parseFileVolume(id.volume_id) ?? {};
  const submit = () => api.storage.removeVolume(id.node, storage, id.volume_id, { signal });
  await step(log, "remove file", { volume: id.volume_id }, async () => {
    try {
      await api.operations.write({ what: `remove ${id.volume_id}`, submit, signal });
    } catch (reason) {
      const isGone = isPveError(reason) && (await isRemoved(work, id, reason));
      if (!isGone) throw reason;
    }
  });
}

async function isRemoved(work: FileWork, id: FileId, reason: PveError): Promise<boolean> {
  const isGone = async () => (await findFile(work, id)) === null;
  const hasFailed = !reason.mayHaveHappened || reason.details.upid !== undefined;
  if (hasFailed) return reason.kind !== "permission" && (await isGone());
  const { storage = "" } = parseFileVolume(id.volume_id) ?? {};
  const outcome = await work.api.proveOutcome({
    node: id.node,
    sentAt: reason.details.sentAt ?? work.api.serverTime(),
    task: { type: "imgdel", id: storage },
    findMark: async () => ((await isGone()) ? "ours" : "absent"),
    signal: work.signal,
  });
  return outcome.kind === "done";
}
