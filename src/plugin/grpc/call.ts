import { once } from "node:events";
import type { OutgoingHttpHeaders, ServerHttp2Stream } from "node:http2";
import { MessageReader, messagePrefix } from "./frames.ts";
import { GrpcError, Status } from "./status.ts";

/**
 * Answers a method with one message or many, all as bytes. The signal is aborted when the client cancels or
 * disconnects. A thrown `GrpcError` is the call's status; any other error is INTERNAL.
 */
export type Handler = (request: Uint8Array, signal: AbortSignal) => AsyncIterable<Uint8Array>;

const responseHeaders: OutgoingHttpHeaders = {
  ":status": 200,
  "content-type": "application/grpc",
  "grpc-accept-encoding": "identity",
};

/** Longer texts do not help the reader, and header blocks are limited. */
const maxStatusText = 4096;

/**
 * Characters that gRPC requires to be percent-encoded in a status text: all but printable ASCII, and the percent sign
 * itself.
 */
const unprintable = /[^\x20-\x24\x26-\x7e]+/gu;

/** One gRPC call on its HTTP/2 stream: reads the request, sends the results of the handler, then a status. */
export class Call {
  readonly #stream: ServerHttp2Stream;
  readonly #cancellation = new AbortController();
  #isAnswered = false;
  #hasRun = false;

  constructor(stream: ServerHttp2Stream) {
    this.#stream = stream;
    // A stream that fails also closes; the failure itself needs no handling.
    stream.on("error", () => {});
    stream.once("close", () => {
      if (!this.#hasRun) this.cancel();
    });
  }

  /** Always runs to the end, and never throws. */
  async run(handler: Handler): Promise<void> {
    try {
      const request = await this.#receive();
      for await (const message of handler(request, this.#cancellation.signal)) {
        if (!this.#isOpen) break;
        await this.#send(message);
      }
      this.finish();
    } catch (error) {
      this.finish(GrpcError.from(error));
    } finally {
      this.#hasRun = true;
    }
  }

  /** Aborts the handler, because the client no longer waits. */
  cancel(): void {
    this.#cancellation.abort();
  }

  /** Ends the call with its status, unless it has one already. */
  finish(error?: GrpcError): void {
    if (!this.#isOpen) return;
    this.#isAnswered = true;
    const trailers = statusTrailers(error);
    if (this.#stream.headersSent) {
      this.#stream.once("wantTrailers", () => this.#stream.sendTrailers(trailers));
      this.#stream.end();
    } else {
      this.#stream.respond({ ...responseHeaders, ...trailers }, { endStream: true });
      // The rest of the request is not read: without this, a client that keeps its side open keeps the stream open as
      // well.
      this.#stream.close();
    }
  }

  /** Refuses a request that is not a gRPC call. */
  refuse(httpStatus: number): void {
    if (this.#isOpen) this.#stream.respond({ ":status": httpStatus }, { endStream: true });
  }

  /** Whether a response can still be sent. A stream that the client has reset is closed first and destroyed later. */
  get #isOpen(): boolean {
    return !(this.#isAnswered || this.#stream.closed || this.#stream.destroyed);
  }

  /** The request: exactly one message, complete when the client has closed its side. */
  #receive(): Promise<Buffer> {
    const reader = new MessageReader();
    const messages: Buffer[] = [];
    return new Promise((resolve, reject) => {
      this.#stream.on("data", (piece: Buffer) => {
        try {
          messages.push(...reader.push(piece));
        } catch (error) {
          reject(error);
        }
      });
      this.#stream.once("end", () => {
        const [message, ...more] = messages;
        if (message && more.length === 0 && !reader.isMidMessage) resolve(message);
        else reject(new GrpcError(Status.internal, "the call did not carry exactly one whole message"));
      });
      const cancel = () => reject(new GrpcError(Status.cancelled, "the call was cancelled before it was complete"));
      this.#cancellation.signal.addEventListener("abort", cancel);
    });
  }

  async #send(message: Uint8Array): Promise<void> {
    const stream = this.#stream;
    if (!stream.headersSent) stream.respond(responseHeaders, { waitForTrailers: true });
    stream.cork();
    let hasRoom = stream.write(messagePrefix(message));
    // Node 24 releases a batch that ends in an empty chunk before the rest of it is sent: its memory may be reused by
    // then, and the peer reads garbage (src/node_http2.cc, `Http2Stream::Provider::Stream::OnRead`).
    if (message.length > 0) hasRoom = stream.write(message);
    stream.uncork();
    if (hasRoom || !this.#isOpen) return;
    // Aborted when the stream closes, so that a client that stops reading and disconnects does not block the handler.
    await once(stream, "drain", { signal: this.#cancellation.signal }).catch(() => {});
  }
}

function statusTrailers(error: GrpcError | undefined): OutgoingHttpHeaders {
  if (!error) return { "grpc-status": Status.ok };
  const text = error.message.slice(0, maxStatusText).toWellFormed();
  return { "grpc-status": error.status, "grpc-message": text.replaceAll(unprintable, encodeURIComponent) };
}
