import { promisify } from "node:util";
import { constants, crc32, deflateRaw } from "node:zlib";

export interface ZipEntry {
  name: string;
  contents: Uint8Array;
  /** Unix permission bits. */
  mode: number;
}

const deflate = promisify(deflateRaw);

/** 1 January 1980, the earliest date in a zip file: the same input must give the same bytes on any day. */
const firstDay = { time: 0, date: (1 << 5) | 1 };
const unix = 3;
const version = 20;
const deflated = 8;
const regularFile = 0o100000;

/** A zip file (APPNOTE.TXT, 4.3) of a few files below 4 GiB, the same bytes for the same entries. */
export async function zip(entries: readonly ZipEntry[]): Promise<Buffer> {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, contents, mode } of entries) {
    const packed = await deflate(contents, { level: constants.Z_BEST_COMPRESSION });
    const fields = commonFields(name, contents, packed.length);
    const local = Buffer.concat([numbers([0x04034b50, 4]), fields, Buffer.from(name), packed]);
    locals.push(local);
    directory.push(
      numbers([0x02014b50, 4], [(unix << 8) | version, 2]),
      fields,
      // comment, disk, internal attributes; permissions; where the local header is
      numbers([0, 2], [0, 2], [0, 2], [((regularFile | mode) << 16) >>> 0, 4], [offset, 4]),
      Buffer.from(name),
    );
    offset += local.length;
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  const count = entries.length;
  const end = numbers([0x06054b50, 4], [0, 2], [0, 2], [count, 2], [count, 2], [size, 4], [offset, 4], [0, 2]);
  return Buffer.concat([...locals, ...directory, end]);
}

/** The common part of a file's local header and its directory entry. */
function commonFields(name: string, contents: Uint8Array, packedLength: number): Buffer {
  return numbers(
    [version, 2],
    [0, 2],
    [deflated, 2],
    [firstDay.time, 2],
    [firstDay.date, 2],
    [crc32(contents), 4],
    [packedLength, 4],
    [contents.length, 4],
    [Buffer.byteLength(name), 2],
    [0, 2],
  );
}

/** Little-endian numbers, each with its width in bytes. */
function numbers(...fields: [value: number, width: 2 | 4][]): Buffer {
  return Buffer.concat(
    fields.map(([value, width]) => {
      const field = Buffer.alloc(width);
      field.writeUIntLE(value, 0, width);
      return field;
    }),
  );
}
