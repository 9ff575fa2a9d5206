import { deflateSync, gzipSync } from "node:zlib";

/** The head of a request; header names in lower case, repeated headers joined as HTTP::Headers does. */
export interface RequestHead {
  readonly method: string;
  readonly target: string;
  /** Percent-decoded, without the query. */
  readonly path: string;
  /** One character per byte, not decoded. */
  readonly query: string;
  readonly version: string;
  readonly headers: ReadonlyMap<string, string>;
}

export interface Response {
  readonly status: number;
  /** Only the first line is sent; undefined: the standard text of the status. */
  readonly reason?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  readonly noCompression?: true;
}

/** An endless answer: the connection stays open and is not used for anything else. */
export interface EventStream {
  readonly status: 200;
  readonly headers: Readonly<Record<string, string>>;
  /** Called once; `closed` is aborted when the client disconnects. */
  stream(send: (text: string) => void, closed: AbortSignal): void;
}

const statusTexts: Readonly<Record<number, string>> = {
  200: "OK",
  301: "Moved Permanently",
  308: "Permanent Redirect",
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  500: "Internal Server Error",
  501: "Not Implemented",
};

const compressedFrom = 1024;

export interface Framing {
  readonly version: string;
  readonly keepAlive: boolean;
  readonly acceptEncoding: string;
}

/** AnyEvent.pm's `response`: the bytes of an answer, headers in the order HTTP::Headers prints them. */
export function renderResponse(response: Response, framing: Framing): Buffer {
  let { status } = response;
  let reason = (response.reason || statusTexts[status]) ?? "";
  let body = Buffer.from(response.body ?? "");
  reason = reason.split("\n", 1)[0] as string;
  if (reason.includes("\r")) {
    status = 400;
    reason = "Bad Request";
    body = Buffer.alloc(0);
  }
  let encoding: string | undefined;
  if (body.length > compressedFrom && !response.noCompression) {
    if (framing.acceptEncoding.includes("gzip")) {
      encoding = "gzip";
      body = gzipSync(body, { level: 1 });
    } else if (framing.acceptEncoding.includes("deflate")) {
      encoding = "deflate";
      body = deflateSync(body);
    }
  }
  const date = new Date().toUTCString();
  const { Location, "Content-Type": contentType, ...others } = response.headers ?? {};
  const headers: [string, string | undefined][] = [
    ["Cache-Control", "max-age=0"],
    ["Connection", framing.keepAlive ? "Keep-Alive" : "close"],
    ["Date", date],
    ["Pragma", "no-cache"],
    ["Location", Location],
    ["Server", "pve-api-daemon/3.0"],
    ["Content-Encoding", encoding],
    ["Content-Length", body.length > 0 ? String(body.length) : undefined],
    ["Content-Type", contentType],
    ["Expires", date],
    ...Object.entries(others),
  ];
  const lines = headers.flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}\r\n`]));
  // Perl writes the reason as UTF-8 bytes.
  const head = Buffer.from(`${framing.version} ${status} ${reason}\r\n${lines.join("")}\r\n`, "utf8");
  return body.length > 0 ? Buffer.concat([head, body]) : head;
}
