import type { Logger } from "#framework";
import type { PveError, Volume } from "#pve";
import { isPveError } from "../pve-error.ts";
import type { Session } from "../session.ts";
import { type FilePlace, parseFileVolume } from "./file-name.ts";

/** What every operation on a file needs. */
export interface FileWork {
  readonly api: Session;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** A file as Terraform knows it. On a storage that is not shared, each node has files of its own. */
export interface FileId {
  readonly node: string;
  readonly volume_id: string;
}

export type ListFiles = (place: FilePlace) => Promise<readonly Volume[]>;

/** The file as the storage lists it; null when the file, or the storage, does not exist. */
export async function findFile(
  { api, signal }: FileWork,
  { node, volume_id }: FileId,
  list: ListFiles = (place) => api.storage.listVolumes(node, place.storage, { content: place.content }, { signal }),
): Promise<Volume | null> {
  const place = parseFileVolume(volume_id);
  if (place === null) return null;
  try {
    return (await list(place)).find(({ volid }) => volid === volume_id) ?? null;
  } catch (reason) {
    if (isPveError(reason, "not_found")) return null;
    throw reason;
  }
}

export const bytesIn = (volume: Volume): number | undefined => volume.size ?? volume["approximate-size"];

/** Whether the outcome of a write is unknown. One whose task has a name is known to have begun. */
export const isLost = (reason: unknown): reason is PveError =>
  isPveError(reason) && reason.mayHaveHappened && reason.details.upid === undefined;
