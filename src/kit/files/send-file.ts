import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import type { Upload, Volume } from "#pve";
import { step } from "../step.ts";
import { type FilePlace, volumeIdOf } from "./file-name.ts";
import { bytesIn, type FileWork, findFile, isLost } from "./find-file.ts";

/** A file that can be read as often as need be, and what is known of it beforehand. */
export interface FileToSend extends Pick<Upload, "size" | "open"> {
  /** Given to PVE, which refuses what arrives otherwise. */
  readonly sha256: string;
}

export function inMemory(bytes: Uint8Array): FileToSend {
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return { size: bytes.length, sha256, open: () => Readable.from([bytes]) };
}

/** A connection that breaks is not the end of an upload of which nothing has arrived. */
const attempts = 3;

/**
 * Uploads a file and waits until it is on the storage. Whether an upload without an answer has arrived is asked of the
 * storage: what has not is sent again, what may have is not.
 */
export async function sendFile(
  work: FileWork,
  node: string,
  place: FilePlace,
  file: FileToSend,
  existing: Volume | null = null,
): Promise<void> {
  const { api, log, signal } = work;
  const { storage, content, name: fileName } = place;
  const volume = volumeIdOf(place);
  const request = { content, "checksum-algorithm": "sha256", checksum: file.sha256 };
  const submit = () => api.storage.upload(node, storage, request, { ...file, fileName }, { signal });
  await step(log, "upload", { volume, size_bytes: file.size }, async () => {
    for (let attempt = 1; ; attempt++) {
      try {
        await api.operations.write({ what: `upload ${volume}`, submit, signal });
        return;
      } catch (reason) {
        if (!isLost(reason)) throw reason;
        const sentAt = reason.details.sentAt ?? api.serverTime();
        const findMark = async () => markOf(await findFile(work, { node, volume_id: volume }), file, existing);
        const trace = { node, sentAt, task: { type: "imgcopy", id: "" }, findMark, signal };
        const outcome = await api.proveOutcome(trace).catch((): never => {
          throw reason;
        });
        if (outcome.kind === "done") return;
        if (outcome.kind === "failed") throw outcome.error;
        if (outcome.kind === "unknown") throw reason;
        if (attempt === attempts) throw reason.with({ mayHaveHappened: false });
        log.info("the upload has not arrived, sending it again", { volume, attempt });
      }
    }
  });
}

/** A file of the right size that is younger than what was there before is the one that was sent. */
function markOf(found: Volume | null, { size }: FileToSend, existing: Volume | null): "ours" | "absent" {
  if (found === null || bytesIn(found) !== size) return "absent";
  const isNew = existing === null || (found.ctime ?? 0) > (existing.ctime ?? 0);
  return isNew ? "ours" : "absent";
}
