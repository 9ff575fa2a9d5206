import type { Message } from "./message.ts";

/** One RPC: its path on the wire, how many messages each side sends, and the tables of both messages. */
export interface Method<Request extends object, Response extends object, Kind extends MethodKind> {
  readonly path: string;
  readonly kind: Kind;
  readonly request: Message<Request>;
  readonly response: Message<Response>;
}

/** Which side may send more than one message. */
export type MethodKind = "unary" | "server_stream" | "client_stream" | "both_stream";

export type Service = Readonly<Record<string, Method<object, object, MethodKind>>>;
