import type { Socket } from "node:net";

const newline = 0x0a;

/** What a request is read from, piece by piece. */
export interface BytesReader {
  line(): Promise<string | undefined>;
  bytes(count: number): Promise<Buffer | undefined>;
  some(atMost: number): Promise<Buffer | undefined>;
}

/**
 * Reads a connection on demand: lines of a request head, bytes of a body. Nothing is taken from the socket beforehand, and
 * a client that sends nothing while it is waited for is cut off after `patience` milliseconds.
 */
export class SocketReader implements BytesReader {
  readonly #socket: Socket;
  readonly #patience: number;
  #buffer: Buffer = Buffer.alloc(0);
  #over = false;
  #wake: (() => void) | undefined;

  constructor(socket: Socket, patience: number) {
    this.#socket = socket;
    this.#patience = patience;
    const wake = () => this.#wake?.();
    const end = () => {
      this.#over = true;
      wake();
    };
    socket.on("readable", wake);
    socket.on("end", end);
    socket.on("close", end);
    socket.on("timeout", () => socket.destroy());
  }

  /** The next line without its end, or undefined when the connection ended before one was complete. */
  async line(): Promise<string | undefined> {
    let from = 0;
    for (;;) {
      const end = this.#buffer.indexOf(newline, from);
      if (end >= 0) {
        const line = this.#buffer.toString("latin1", 0, end);
        this.#buffer = this.#buffer.subarray(end + 1);
        return line.endsWith("\r") ? line.slice(0, -1) : line;
      }
      from = this.#buffer.length;
      if (!(await this.#more())) {
        return undefined;
      }
    }
  }

  /** Exactly that many bytes, or undefined when the connection ended before. */
  async bytes(count: number): Promise<Buffer | undefined> {
    while (this.#buffer.length < count) {
      if (!(await this.#more())) {
        return undefined;
      }
    }
    const taken = this.#buffer.subarray(0, count);
    this.#buffer = this.#buffer.subarray(count);
    return taken;
  }

  /** Whatever is there, at most that many bytes; undefined at the end. */
  async some(atMost: number): Promise<Buffer | undefined> {
    if (this.#buffer.length === 0 && !(await this.#more())) {
      return undefined;
    }
    const taken = this.#buffer.subarray(0, atMost);
    this.#buffer = this.#buffer.subarray(taken.length);
    return taken;
  }

  async #more(): Promise<boolean> {
    for (;;) {
      const chunk = this.#socket.read() as Buffer | null;
      if (chunk !== null) {
        this.#buffer = this.#buffer.length === 0 ? chunk : Buffer.concat([this.#buffer, chunk]);
        return true;
      }
      if (this.#over) {
        return false;
      }
      this.#socket.setTimeout(this.#patience);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
      this.#socket.setTimeout(0);
    }
  }
}
