import zlib from "node:zlib"; // Its names one by one would keep an older Node from refusing in words.

/** A member of a tar archive. `body` is truncated if only the start of the archive is known. */
export interface TarMember {
  readonly name: string;
  readonly size: number;
  readonly body: Buffer;
}

const block = 512;

/** Members whose headers are within `bytes`; empty for files that are not tar archives. */
export function readTar(bytes: Buffer): TarMember[] {
  const members: TarMember[] = [];
  let offset = 0;
  while (offset + block <= bytes.length && bytes[offset] !== 0) {
    const header = bytes.subarray(offset, offset + block);
    const text = (start: number, length: number) =>
      header.toString("latin1", start, start + length).replace(/\0.*$/s, "");
    const size = Number.parseInt(text(124, 12).trim() || "0", 8);
    if (!isHeader(header) || Number.isNaN(size)) {
      break;
    }
    const prefix = text(345, 155);
    const start = offset + block;
    members.push({
      name: `${prefix === "" ? "" : `${prefix}/`}${text(0, 100)}`,
      size,
      body: bytes.subarray(start, start + size),
    });
    offset = start + Math.ceil(size / block) * block;
  }
  return members;
}

/** Whether `tar` reads the start of a file: nothing, an empty block, or the header of a member. */
export function isTar(bytes: Buffer): boolean {
  const header = bytes.subarray(0, block);
  return header.every((byte) => byte === 0) || (header.length === block && isHeader(header));
}

/** The checksum of a header counts its own field as blanks. */
function isHeader(header: Buffer): boolean {
  const stored = Number.parseInt(header.toString("latin1", 148, 156).replace(/\0.*$/s, "").trim(), 8);
  const sum = header.reduce((total, byte, index) => total + (index >= 148 && index < 156 ? 0x20 : byte), 0);
  return stored === sum;
}

/** The plain tar archive in a compressed one; undefined if it cannot be decompressed here. */
export function decompress(bytes: Buffer, filename: string): Buffer | undefined {
  try {
    if (/\.(?:gz|tgz)$/.test(filename)) {
      return zlib.gunzipSync(bytes);
    }
    if (filename.endsWith(".zst")) {
      return zlib.zstdDecompressSync(bytes);
    }
    return filename.endsWith(".tar") ? bytes : undefined;
  } catch {
    return undefined;
  }
}
