import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import type { Parameters, Upload } from "./call.ts";

/**
 * `multipart/form-data` as PVE's own parser requires it: text parts first, the file last and named `filename`, its
 * `Content-Disposition` right after the boundary, and the whole length known (AnyEvent.pm, `file_upload_multipart`).
 */
export function multipart(parameters: Parameters, upload: Upload): { headers: Record<string, string>; body: Readable } {
  const boundary = `----${randomUUID()}`;
  const texts = Object.entries(parameters)
    .filter(([, value]) => value !== undefined)
    .map(
      ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${String(value)}\r\n`,
    );
  const fileName = upload.fileName.replace(/["\r\n\\]/g, "_");
  const file = `--${boundary}\r\nContent-Disposition: form-data; name="filename"; filename="${fileName}"\r\nContent-Type: application/octet-stream\r\n\r\n`;
  const head = Buffer.from(texts.join("") + file);
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  async function* content() {
    yield head;
    yield* upload.open();
    yield tail;
  }
  return {
    headers: {
      "content-type": `multipart/form-data; boundary=${boundary}`,
      "content-length": String(head.length + upload.size + tail.length),
    },
    body: Readable.from(content()),
  };
}
