import type { Socket } from "node:net";

const newline = 0x0a;

/** The source of a request's bytes. */
export interface BytesReader {
  line(): Promise<string | undefined>;
  bytes(count: number): Promise<Buffer | undefined>;
  some(atMost: number): Promise<Buffer | undefined>;
}

/**
 * Reads a connection on demand: lines of a request head, bytes of a body. Nothing is read ahead, and the connection is
 * closed if the client sends nothing for `patience` milliseconds.
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

  /** The next line without its end, or undefined if the connection ended before it was complete. */
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

  /** Exactly that many bytes, or undefined if the connection ended earlier. */
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

  /** The available bytes, at most that many; undefined at the end. */
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
