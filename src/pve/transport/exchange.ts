import type { Dispatcher } from "undici";
import { PveError } from "../errors.ts";
import type { Answer, Call } from "./call.ts";
import { connectionFailure, responseTimeout } from "./connection-failures.ts";

interface Limits {
  readonly timeoutMs: number;
  readonly maxAnswerBytes: number;
}

/**
 * One request and its response. It uses undici's lowest interface because only that shows whether a request was written
 * to a socket before a failure: a write may have happened only then.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly answer: Promise<Answer>;
  readonly #call: Call;
  readonly #origin: string;
  readonly #limits: Limits;
  readonly #settle: { resolve(answer: Answer): void; reject(reason: unknown): void };
  readonly #timer: NodeJS.Timeout;
  readonly #chunks: Buffer[] = [];
  #received = 0;
  #wasSent = false;
  #isOver = false;
  #controller: Dispatcher.DispatchController | undefined;
  #head: Omit<Answer, "body"> = { status: 0, reason: "", headers: {} };

  constructor(call: Call, origin: string, limits: Limits) {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    this.answer = promise;
    this.#call = call;
    this.#origin = origin;
    this.#limits = limits;
    this.#settle = { resolve, reject };
    this.#timer = setTimeout(this.#onTimeout, limits.timeoutMs);
    call.signal?.addEventListener("abort", this.#onAbort, { once: true });
    if (call.signal?.aborted) {
      this.#onAbort();
    }
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isOver) {
      controller.abort(new Error("aborted before it was sent"));
      return;
    }
    this.#wasSent = true;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Answer["headers"],
    reason = "",
  ): void {
    this.#head = { status, reason, headers };
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#received += chunk.length;
    this.#chunks.push(chunk);
    if (this.#received > this.#limits.maxAnswerBytes) {
      const { method, template } = this.#call;
      const text = `${this.#origin}: the response is larger than ${this.#limits.maxAnswerBytes} bytes`;
      this.#giveUp(new PveError("malformed", text, { method, path: template }));
    }
  }

  onResponseEnd(): void {
    this.#finish();
    const answer = { ...this.#head, body: Buffer.concat(this.#chunks) };
    // undici frees the socket in the next turn of the event loop. Without this wait, a caller that sends the next
    // request at once would find it busy and pay for another TLS handshake.
    setImmediate(() => setImmediate(() => this.#settle.resolve(answer)));
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#finish();
    this.#settle.reject(connectionFailure(error, this.#call, this.#origin, this.#wasSent));
  }

  readonly #onTimeout = (): void => {
    this.#giveUp(responseTimeout(this.#call, this.#origin, this.#limits.timeoutMs, this.#wasSent));
  };

  readonly #onAbort = (): void => {
    this.#giveUp(this.#call.signal?.reason);
  };

  #giveUp(reason: unknown): void {
    this.#finish();
    this.#settle.reject(reason);
    this.#controller?.abort(new Error("given up"));
  }

  #finish(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#call.signal?.removeEventListener("abort", this.#onAbort);
  }
}
