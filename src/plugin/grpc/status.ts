/** The gRPC status codes this side ever answers with. */
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
 * A call that ends without an answer. People see its text as "Plugin error", without a word on what to do, so whatever
 * a provider can foresee is a diagnostic in an answer instead.
 */
export class GrpcError extends Error {
  override name = "GrpcError";
  readonly status: StatusCode;

  constructor(status: StatusCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }

  /** The one door for whatever was thrown. */
  static from(reason: unknown): GrpcError {
    if (reason instanceof GrpcError) return reason;
    return new GrpcError(Status.internal, reason instanceof Error ? reason.message : String(reason), { cause: reason });
  }
}
