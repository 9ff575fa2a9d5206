import type { RequestHead } from "./message.ts";
import type { BytesReader } from "./socket-reader.ts";

const mostHeaderLines = 64;
const mostHeaderBytes = 8 * 1024;

/** A head that cannot be served; the answer has this status and text. */
export interface BadHead {
  readonly status: number;
  readonly text: string;
  readonly version: string | undefined;
}

/**
 * Reads one request head as pve-http-server `src/PVE/APIServer/AnyEvent.pm` does. `undefined`: the connection ended.
 * `"silent"`: over the header limits; the server logs an error and never answers.
 */
export async function readHead(reader: BytesReader): Promise<RequestHead | BadHead | "silent" | undefined> {
  let line = await reader.line();
  while (line === "") {
    line = await reader.line();
  }
  if (line === undefined) {
    return undefined;
  }
  const [, method, target, major, minor] = /(\S+) (\S+) HTTP\/(\d+)\.(\d+)/.exec(line) ?? [];
  if (method === undefined || target === undefined) {
    return { status: 400, text: "bad request", version: undefined };
  }
  if (Number(major) !== 1) {
    return { status: 506, text: `http protocol version ${major}.${minor} not supported`, version: undefined };
  }
  if (/^[^/]*@/.test(target)) {
    return { status: 400, text: "invalid url", version: undefined };
  }
  const version = `HTTP/${major}.${minor}`;
  const headers = await readHeaders(reader);
  if (headers === "unparsable") {
    return { status: 506, text: "unable to parse request header", version };
  }
  if (typeof headers === "string" || headers === undefined) {
    return headers;
  }
  const [path = "", query = ""] = splitOnce(
    target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, "").replace(/#.*$/, ""),
    "?",
  );
  return { method, target, path: decodePath(path), query, version, headers };
}

async function readHeaders(reader: BytesReader): Promise<Map<string, string> | "silent" | "unparsable" | undefined> {
  const headers = new Map<string, string>();
  let last: string | undefined;
  let size = 0;
  for (let count = 1; ; count++) {
    const line = await reader.line();
    if (line === undefined) {
      return undefined;
    }
    size += line.length;
    if (count >= mostHeaderLines || size >= mostHeaderBytes) {
      return "silent";
    }
    if (line === "") {
      return headers;
    }
    const [, name, value] = /^([^:\s]+)\s*:\s*(.*)/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) {
      last = name.toLowerCase();
      const old = headers.get(last);
      headers.set(last, old === undefined ? value : `${old}, ${value}`);
    } else if (/^\s+/.test(line) && last !== undefined) {
      headers.set(last, `${headers.get(last)} ${line.trimStart()}`);
    } else {
      return "unparsable";
    }
  }
}

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

/** `uri_unescape`: byte by byte; text that is not UTF-8 is kept unchanged. */
function decodePath(path: string): string {
  const bytes = path.replace(/%([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}
