/** The gRPC status codes that this server sends. */
export const Status = {
  ok: 0,
  cancelled: 1,
  resourceExhausted: 8,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
} as const;

export type StatusCode = (typeof Status)[keyof typeof Status];

/**
 * A call that ends without a response. Users see its text as "Plugin error", without advice, so every failure that a
 * provider can expect is a diagnostic in a response instead.
 */
export class GrpcError extends Error {
  override name = "GrpcError";
  readonly status: StatusCode;

  constructor(status: StatusCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }

  /** Converts any thrown value. */
  static from(reason: unknown): GrpcError {
    if (reason instanceof GrpcError) return reason;
    return new GrpcError(Status.internal, reason instanceof Error ? reason.message : String(reason), { cause: reason });
  }
}
