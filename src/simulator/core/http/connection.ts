import type { Socket } from "node:net";
import { type EventStream, type RequestHead, type Response, renderResponse } from "./message.ts";
import { type BadHead, readHead } from "./request-head.ts";
import { type BytesReader, SocketReader } from "./socket-reader.ts";

const requestsPerConnection = 100;
const idleMilliseconds = 5000;
const knownMethods = new Set(["GET", "POST", "PUT", "DELETE"]);

/** How a connection ends without an answer: as if the machine had disappeared. */
export const reset = Symbol("reset");

export type Answer = EventStream | Response | typeof reset;

/** One request whose head was read; the body has not been read yet. */
export interface Incoming {
  readonly head: RequestHead;
  /** The peer's address. */
  readonly peer: string;
  readonly reader: BytesReader;
}

export type RequestHandler = (incoming: Incoming) => Promise<Answer>;

/** A client's connection. */
export interface Line {
  readonly socket: Socket;
  /** The client's address. */
  readonly peer: string;
  /** Whether it uses TLS. */
  readonly secure: boolean;
  /** Ends it with a TCP reset. */
  reset(): void;
}

/**
 * Serves one client as pve-http-server's AnyEvent.pm does: at most 100 requests, 5 s between them, and closes after
 * every status of 400 or above. Without TLS it only redirects.
 */
export async function serveConnection(
  { socket, peer, secure, reset: drop }: Line,
  handle: RequestHandler,
): Promise<void> {
  const reader = new SocketReader(socket, idleMilliseconds);
  socket.setNoDelay(true);
  for (let left = requestsPerConnection - 1; left >= 0; left--) {
    const head = await readHead(reader);
    if (head === undefined || head === "silent") {
      socket.setTimeout(idleMilliseconds);
      return;
    }
    const answer = await respond(head, secure, (served) => handle({ head: served, peer, reader }));
    if (answer === reset) {
      drop();
      return;
    }
    if (socket.destroyed) {
      return;
    }
    if ("stream" in answer) {
      startStream(socket, answer);
      return;
    }
    const keepAlive = left > 0 && answer.status < 400 && wantsKeepAlive(head) && secure;
    const acceptEncoding = "headers" in head ? (head.headers.get("accept-encoding") ?? "") : "";
    socket.write(renderResponse(answer, { version: head.version ?? "HTTP/1.0", keepAlive, acceptEncoding }));
    if (!keepAlive) {
      endConnection(socket);
      return;
    }
  }
}

function startStream(socket: Socket, { headers, stream }: EventStream): void {
  const closed = new AbortController();
  socket.on("close", () => closed.abort());
  socket.removeAllListeners("readable");
  socket.resume();
  socket.setTimeout(0);
  const lines = Object.entries({ ...headers, Connection: "close" }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 200 OK\r\n${lines.join("")}\r\n`);
  stream((text) => void socket.write(text), closed.signal);
}

async function respond(
  head: RequestHead | BadHead,
  secure: boolean,
  handle: (head: RequestHead) => Promise<Answer>,
): Promise<Answer> {
  if ("text" in head) {
    return plainError(head.status, head.text);
  }
  if (!knownMethods.has(head.method)) {
    return { status: 501, reason: `method '${head.method}' not available` };
  }
  const encoding = head.headers.get("transfer-encoding");
  if (encoding !== undefined && encoding !== "") {
    const chunked = encoding.toLowerCase() === "chunked";
    return plainError(
      501,
      chunked ? "chunked transfer encoding not supported" : `Unknown transfer encoding '${encoding}'`,
    );
  }
  if (!secure) {
    return redirect(head);
  }
  try {
    return await handle(head);
  } catch (thrown) {
    return plainError(500, `internal error: ${String(thrown)}\n`);
  }
}

/** An error of the HTTP layer: the text is both reason and body, without a content type. */
export function plainError(status: number, text: string): Response {
  return { status, reason: text, body: text };
}

function redirect(head: RequestHead): Answer {
  const host = head.headers.get("host");
  if (host === undefined) {
    return reset;
  }
  const location = `https://${host.replace(/^https?:\/\//, "")}${head.target}`;
  const status = head.method === "GET" ? 301 : 308;
  return { status, headers: { Location: location }, body: status === 301 ? "Moved Permanently" : "Permanent Redirect" };
}

function wantsKeepAlive(head: RequestHead | BadHead): boolean {
  // An upload is the last request of its connection (AnyEvent.pm, `file_upload_multipart`).
  if (!("headers" in head) || /^multipart\//i.test(head.headers.get("content-type") ?? "")) {
    return false;
  }
  const connection = head.headers.get("connection");
  return connection === undefined || connection === "" ? head.version !== "HTTP/1.0" : !/close/i.test(connection);
}

/** Half-closes and lets the client finish sending, so that it can read the answer. */
function endConnection(socket: Socket): void {
  socket.setTimeout(idleMilliseconds);
  socket.end();
  socket.removeAllListeners("readable");
  socket.resume();
}
