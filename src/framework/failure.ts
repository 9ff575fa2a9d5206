import type { PathLike } from "./report.ts";

/** Thrown by a hook to stop with a message for the user. Any other error goes through the provider's `diagnose`. */
export class Failure extends Error {
  readonly summary: string;
  readonly detail: string;
  readonly path: PathLike;

  constructor(summary: string, detail: string, options: { readonly path?: PathLike; readonly cause?: unknown } = {}) {
    super(`${summary}: ${detail}`, { cause: options.cause });
    this.name = "Failure";
    this.summary = summary;
    this.detail = detail;
    this.path = options.path ?? null;
  }
}

/**
 * Thrown by a `read` during a refresh that cannot read the object and whose reason is reported: by a warning, or by another
 * read, since Terraform fails the whole plan for one error. The object keeps its known state.
 */
export class AlreadyReported extends Error {
  override readonly name = "AlreadyReported";
}
