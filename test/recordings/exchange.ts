import { connect } from "node:tls";
import { gunzipSync, inflateSync } from "node:zlib";
import type { Json } from "./recording.ts";

export interface Answer {
  readonly status: number;
  readonly reason: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The parsed body; undefined where it is neither an object nor a list. */
  readonly json: Json | undefined;
}

export interface Outgoing {
  readonly method: string;
  /** Sent as it is. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

/** One request on a connection of its own, with control over every byte: some recordings send malformed ones. */
export async function exchange(server: { url: string; caCertificate: string }, outgoing: Outgoing): Promise<Answer> {
  const { hostname, port, host } = new URL(server.url);
  const { method, target, headers, body } = outgoing;
  const needsLength = body !== undefined || method === "POST" || method === "PUT";
  const lines = Object.entries({
    Host: host,
    Connection: "close",
    ...headers,
    ...(needsLength ? { "Content-Length": String(body?.length ?? 0) } : {}),
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join("")}\r\n`);
  const received = await new Promise<Buffer>((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect({ host: hostname, port: Number(port), ca: server.caCertificate });
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    // The server may reset the connection after its answer; what arrived still counts.
    const end = () => resolve(Buffer.concat(chunks));
    socket.on("error", (error) => (chunks.length > 0 ? end() : reject(error)));
    socket.on("close", end);
    socket.on("secureConnect", () => socket.write(Buffer.concat([head, body ?? Buffer.alloc(0)])));
  });
  return parse(received, method);
}

function parse(received: Buffer, method: string): Answer {
  const end = received.indexOf("\r\n\r\n");
  const [first = "", ...lines] = received.subarray(0, end).toString("utf8").split("\r\n");
  const status = /^HTTP\/\d\.\d (\d+)(?: (.*))?$/s.exec(first);
  if (status === null) {
    throw new Error(`no HTTP answer: ${JSON.stringify(first.slice(0, 80))}`);
  }
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const body = received.subarray(end + 4);
  const whole = headers["transfer-encoding"]?.toLowerCase() === "chunked" ? dechunk(body) : body;
  const text = method === "HEAD" ? "" : decompress(whole, headers["content-encoding"]).toString("utf8");
  return { status: Number(status[1]), reason: status[2] ?? "", headers, text, json: parseJson(text) };
}

function dechunk(data: Buffer): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const end = data.indexOf("\r\n", at);
    const size = Number.parseInt(data.subarray(at, end).toString("latin1"), 16);
    if (end < 0 || !(size > 0)) {
      return Buffer.concat(chunks);
    }
    chunks.push(data.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
}

function decompress(body: Buffer, encoding: string | undefined): Buffer {
  if (encoding === "gzip") {
    return gunzipSync(body);
  }
  return encoding === "deflate" ? inflateSync(body) : body;
}

function parseJson(text: string): Json | undefined {
  try {
    const value = JSON.parse(text) as Json;
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
