import { GrpcError, Status } from "./status.ts";

/** Terraform accepts much longer messages, but no state comes near this limit. */
const maxMessageLength = 256 * 1024 * 1024;

/** One byte: whether the message is compressed. Four bytes: its length. */
const prefixLength = 5;

/** The prefix of an outgoing message. */
export function messagePrefix(message: Uint8Array): Buffer {
  const prefix = Buffer.alloc(prefixLength);
  prefix.writeUInt32BE(message.length, 1);
  return prefix;
}

/** Splits incoming chunks of any size into messages. */
export class MessageReader {
  #pieces: Buffer[] = [];
  #available = 0;
  /** Length of the body being read; undefined between two messages. */
  #body: number | undefined;

  /** Whether an incomplete message is waiting for more bytes. */
  get isMidMessage(): boolean {
    return this.#available > 0 || this.#body !== undefined;
  }

  *push(piece: Buffer): Generator<Buffer> {
    this.#pieces.push(piece);
    this.#available += piece.length;
    for (;;) {
      this.#body ??= this.#readPrefix();
      if (this.#body === undefined || this.#available < this.#body) return;
      const message = this.#take(this.#body);
      this.#body = undefined;
      yield message;
    }
  }

  #readPrefix(): number | undefined {
    if (this.#available < prefixLength) return undefined;
    const prefix = this.#take(prefixLength);
    // The server offers no compression (grpc-accept-encoding), so a compressed message is the peer's mistake.
    if (prefix[0] !== 0) throw new GrpcError(Status.unimplemented, "compressed messages are not supported");
    const length = prefix.readUInt32BE(1);
    if (length <= maxMessageLength) return length;
    throw new GrpcError(
      Status.resourceExhausted,
      `a message of ${length} bytes exceeds the limit of ${maxMessageLength}`,
    );
  }

  /** Chunks are joined only here, so that a long message is copied once. */
  #take(length: number): Buffer {
    const joined = Buffer.concat(this.#pieces);
    this.#available -= length;
    this.#pieces = this.#available > 0 ? [joined.subarray(length)] : [];
    return joined.subarray(0, length);
  }
}
