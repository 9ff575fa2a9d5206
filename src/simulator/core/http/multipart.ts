import { createHash, type Hash, randomBytes } from "node:crypto";
import type { Upload } from "../kernel/endpoint.ts";
import type { BytesReader } from "./socket-reader.ts";

/** How many bytes from the start of a file are kept. */
const headBytes = 64 * 1024;
const readBytes = 256 * 1024;
const textParts = ["content", "checksum-algorithm", "checksum"];
/** Perl adds the position to a `die` without newline. */
const position = "at /usr/share/perl5/PVE/APIServer/AnyEvent.pm line";

export interface UploadedForm {
  readonly fields: Record<string, string>;
  readonly upload: Upload;
}

/**
 * Reads a multipart/form-data body as AnyEvent.pm's `file_upload_multipart` does: some known text parts, then the file,
 * whose disposition must directly follow the boundary. The file is counted and hashed, not kept.
 */
export async function readMultipart(reader: BytesReader, length: number, boundary: string): Promise<UploadedForm> {
  const parser = new MultipartParser(boundary);
  let left = length;
  while (left > 0 && !parser.isComplete) {
    const chunk = await reader.some(Math.min(left, readBytes));
    if (chunk === undefined) {
      break;
    }
    left -= chunk.length;
    parser.feed(chunk);
  }
  return parser.result();
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
}

class MultipartParser {
  readonly #boundary: string;
  readonly #fields: Record<string, string> = {};
  #buffer: Buffer = Buffer.alloc(0);
  #phase: "preamble" | "fields" | "file" | "complete" = "preamble";
  #head: Buffer = Buffer.alloc(0);
  #size = 0;
  #hash: { algorithm: string; hash: Hash } | undefined;

  constructor(boundary: string) {
    this.#boundary = boundary;
  }

  get isComplete(): boolean {
    return this.#phase === "complete";
  }

  feed(chunk: Buffer): void {
    this.#buffer = this.#buffer.length === 0 ? chunk : Buffer.concat([this.#buffer, chunk]);
    if (this.#phase !== "file") {
      this.#parseFields();
    }
    if (this.#phase === "file") {
      this.#takeContent();
    }
  }

  result(): UploadedForm {
    if (!this.isComplete) {
      throw new Error(`upload failed ${position} 1356.`);
    }
    const checksums = this.#hash === undefined ? {} : { [this.#hash.algorithm]: this.#hash.hash.digest("hex") };
    const fields = { ...this.#fields, tmpfilename: `/var/tmp/pveupload-${randomBytes(16).toString("hex")}` };
    const filename = this.#fields["filename"] ?? "";
    return { fields, upload: { filename, size: this.#size, head: this.#head, checksums } };
  }

  #parseFields(): void {
    const delimiter = `--${escaped(this.#boundary)}\\r?\\n`;
    let text = this.#buffer.toString("latin1");
    if (this.#phase === "preamble") {
      const start = text.search(new RegExp(delimiter));
      if (start < 0) {
        return;
      }
      text = text.slice(start);
      this.#phase = "fields";
    }
    for (const name of textParts) {
      const part = new RegExp(
        `^${delimiter}.*?Content-Disposition: (.*?); name="${name}".*?\\r?\\n\\r?\\n(.*?)(?=${delimiter})`,
        "s",
      ).exec(text);
      if (part !== null) {
        demandFormData(part[1] as string);
        this.#fields[name] = (part[2] as string).trim();
        text = text.slice(part[0].length);
      }
    }
    const file = new RegExp(
      `^${delimiter}Content-Disposition: (.*?); name="(.*?)"; filename="([^"]+)".*?\\r?\\n\\r?\\n`,
      "s",
    ).exec(text);
    if (file !== null) {
      demandFormData(file[1] as string);
      if (file[2] !== "filename") {
        throw new Error(`wrong field name '${file[2]}' for file upload, expected 'filename' ${position} 1312.`);
      }
      this.#fields["filename"] = Buffer.from((file[3] as string).trim(), "latin1").toString("utf8");
      this.#phase = "file";
      this.#startHash();
      text = text.slice(file[0].length);
    }
    this.#buffer = Buffer.from(text, "latin1");
  }

  #startHash(): void {
    const algorithm = this.#fields["checksum-algorithm"];
    if (algorithm !== undefined && /^(?:md5|sha(?:1|224|256|384|512))$/.test(algorithm)) {
      this.#hash = { algorithm, hash: createHash(algorithm) };
    }
  }

  /** Reads up to the closing delimiter; bytes that may be the start of one wait for more. */
  #takeContent(): void {
    const end = this.#buffer.indexOf(`--${this.#boundary}--`);
    if (end < 0) {
      const safe = this.#buffer.length - this.#boundary.length - 8;
      if (safe > 0) {
        this.#store(this.#buffer.subarray(0, safe));
        this.#buffer = this.#buffer.subarray(safe);
      }
      return;
    }
    const newline = /\r?\n$/.exec(this.#buffer.toString("latin1", Math.max(end - 2, 0), end))?.[0] ?? "";
    this.#store(this.#buffer.subarray(0, end - newline.length));
    this.#phase = "complete";
  }

  #store(bytes: Buffer): void {
    if (this.#head.length < headBytes) {
      this.#head = Buffer.concat([this.#head, bytes.subarray(0, headBytes - this.#head.length)]);
    }
    this.#size += bytes.length;
    this.#hash?.hash.update(bytes);
  }
}

function demandFormData(disposition: string): void {
  if (disposition !== "form-data") {
    throw new Error(`wrong Content-Disposition '${disposition}' in multipart, expected 'form-data'`);
  }
}
