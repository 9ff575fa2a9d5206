import type { BytesReader } from "./socket-reader.ts";

/** A body that is already in memory. */
export class MemoryReader implements BytesReader {
  #rest: Buffer;

  constructor(body: Buffer) {
    this.#rest = body;
  }

  async line(): Promise<string | undefined> {
    const end = this.#rest.indexOf("\n");
    if (end < 0) {
      return undefined;
    }
    return this.#take(end + 1)
      .toString("latin1")
      .replace(/\r?\n$/, "");
  }

  async bytes(count: number): Promise<Buffer | undefined> {
    return this.#rest.length < count ? undefined : this.#take(count);
  }

  async some(atMost: number): Promise<Buffer | undefined> {
    return this.#rest.length === 0 ? undefined : this.#take(Math.min(atMost, this.#rest.length));
  }

  #take(count: number): Buffer {
    const taken = this.#rest.subarray(0, count);
    this.#rest = this.#rest.subarray(count);
    return taken;
  }
}
