import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { Readable } from "node:stream";
import { type FileToSend, inMemory, type Logger } from "#kit";

/** What a file was like when it was last read through: while nothing of it changes, its checksum need not be made again. */
export type Fingerprint = {
  readonly path: string;
  readonly size: number;
  /** Inode and time of the last change in nanoseconds, which cannot be set back. */
  readonly change: string;
  readonly sha256: string;
};

/** Why a local file cannot be sent, for the person who named it. */
export class UnreadableFile extends Error {}

const chunkBytes = 256 * 1024;

/** Looks at a local file, and reads it through unless that was done before. */
export async function fingerprint(path: string, known: Fingerprint | null): Promise<Fingerprint> {
  const file = await stat(path, { bigint: true }).catch((reason: NodeJS.ErrnoException) => {
    const where = resolve(path) === path ? "" : ` (${resolve(path)})`;
    const hint = path.startsWith("~") ? " A `~` means nothing here: write `pathexpand(…)` around it." : "";
    throw new UnreadableFile(`\`${path}\`${where} cannot be read: ${why(reason)}.${hint}`);
  });
  if (!file.isFile()) throw new UnreadableFile(`\`${path}\` is not a file.`);
  if (file.size === 0n) throw new UnreadableFile(`\`${path}\` is empty.`);
  const seen = { path, size: Number(file.size), change: `${file.ino}:${file.ctimeNs}:${file.mtimeNs}` };
  const isKnown = known?.path === path && known.size === seen.size && known.change === seen.change;
  return { ...seen, sha256: isKnown ? known.sha256 : await sha256Of(createReadStream(path)) };
}

const why = ({ code, message }: NodeJS.ErrnoException): string =>
  code === "ENOENT" ? "there is no such file" : code === "EACCES" ? "permission denied" : message;

async function sha256Of(stream: Readable): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of stream as AsyncIterable<Buffer>) hash.update(chunk);
  return hash.digest("hex");
}

/** The file as it was looked at, read piece by piece however large it is. */
export function localFile({ path, size, sha256 }: Fingerprint, log: Logger): FileToSend {
  const read = () => createReadStream(path, { highWaterMark: chunkBytes, end: size - 1 });
  return { size, sha256, open: () => Readable.from(reporting(read(), size, log, path)) };
}

export const textFile = (text: string): FileToSend => inMemory(Buffer.from(text, "utf8"));

const mebibyte = 2 ** 20;
const tellEveryMs = 5_000;

/** Passes the chunks on and says every so often how far it is. */
async function* reporting(
  chunks: AsyncIterable<Buffer>,
  size: number,
  log: Logger,
  path: string,
): AsyncIterable<Buffer> {
  const started = performance.now();
  let [sent, toldAt] = [0, started];
  const progress = () => ({
    file: path,
    percent: Math.floor((100 * sent) / size),
    mb_per_s: Number((sent / mebibyte / Math.max((performance.now() - started) / 1000, 0.001)).toFixed(1)),
  });
  for await (const chunk of chunks) {
    yield chunk;
    sent += chunk.length;
    if (performance.now() - toldAt < tellEveryMs) continue;
    toldAt = performance.now();
    log.info("uploading", progress());
  }
  log.debug("uploaded", progress());
}
