import { quote } from "../text/quote.ts";

/**
 * What went wrong, as far as a caller may act upon it. Callers switch on `kind`, exhaustively; the message is for
 * users.
 *
 * - `unreachable` no response, a proxy's 595 to 599, or a proxy that limits requests (429)
 * - `auth` the credentials were not accepted
 * - `permission` the credentials were accepted, but a privilege is missing
 * - `not_found` the subject of the call does not exist (PVE reports that with 500, never 404)
 * - `exists` the object to be created already exists
 * - `locked` the object is locked; `lock` names the holder and whether waiting helps
 * - `invalid` PVE refuses the request as it is
 * - `conflict` the object's state forbids it: changed in the meantime, running, protected, in use
 * - `task` the call was accepted and its task failed
 * - `timeout` no response, or no progress, in the time allowed
 * - `malformed` a response that does not match the API
 */
export const errorKinds = [
  "unreachable",
  "auth",
  "permission",
  "not_found",
  "exists",
  "locked",
  "invalid",
  "conflict",
  "task",
  "timeout",
  "malformed",
] as const;

export type PveErrorKind = (typeof errorKinds)[number];

/** The lock that was held. `transient` ones are released automatically; the others need an administrator. */
export interface LockHeld {
  /** The value of the config's `lock`, the lock file, or the name of the cluster lock. */
  readonly name: string;
  readonly transient: boolean;
  /** The guest that the lock belongs to, if the name shows it. */
  readonly vmid?: number;
  /** Not a real lock: the host is too busy to start. */
  readonly isOverload?: true;
  /** It has no time limit: a process that was killed leaves it behind. */
  readonly mayStay?: true;
  /** The holder: PVE's own text, or the task found running on that guest. */
  readonly holder?: string;
}

/** Privileges that would allow the call: one of them on one of the paths is enough. */
export interface MissingPrivilege {
  readonly paths: readonly string[];
  readonly privileges: readonly string[];
}

/**
 * Why a server's certificate was refused: it is not the pinned one, it has expired or is not valid yet, it is for
 * another host, its authority is unknown, or something rarer.
 */
export type CertificateProblem = "pin" | "expired" | "not_yet_valid" | "host_name" | "authority" | "other";

export interface PveErrorDetails {
  readonly method?: string;
  /** Path template, such as `/nodes/{node}/qemu/{vmid}/config`: the same for every guest. */
  readonly path?: string;
  readonly status?: number;
  /** The message is what Proxmox VE itself says, in a response or at the end of a task; every other one is the client's. */
  readonly isQuoted?: true;
  /** How long the server asks to wait before the next request (`Retry-After`). */
  readonly retryAfterMs?: number;
  /** PVE's `errors` map: the problem of each parameter. */
  readonly params?: Readonly<Record<string, string>>;
  readonly upid?: string;
  /** The last lines of the failed task's log. */
  readonly log?: readonly string[];
  readonly lock?: LockHeld;
  readonly missing?: MissingPrivilege;
  /** It cannot be removed while another object refers to it. */
  readonly isInUse?: true;
  readonly distrust?: CertificateProblem;
  /** The login that was refused: how, and for which user. */
  readonly login?: { readonly with: "token" | "password" | "ticket"; readonly as: string };
  /**
   * A write with an unknown result: the response was lost, and the work may have been done. Never send it again
   * unchecked.
   */
  readonly mayHaveHappened?: boolean;
  /** When such a write was sent, by the server's clock in Unix seconds: the start for `proveOutcome`. */
  readonly sentAt?: number;
  /** The number of attempts, and the total waiting time between them. */
  readonly attempts?: number;
  readonly waitedMs?: number;
  readonly cause?: unknown;
}

/** The one error of this layer. Its message may quote a server or a guest: further lines of it are marked as a quotation. */
export class PveError extends Error {
  override readonly name = "PveError";
  readonly kind: PveErrorKind;
  readonly details: PveErrorDetails;

  constructor(kind: PveErrorKind, message: string, details: PveErrorDetails = {}) {
    super(quote(message), details.cause === undefined ? undefined : { cause: details.cause });
    this.kind = kind;
    this.details = details;
  }

  /** Converts any thrown value to a `PveError`. */
  static from(reason: unknown): PveError {
    if (reason instanceof PveError) {
      return reason;
    }
    const said = reason instanceof Error ? reason.message : String(reason);
    return new PveError("malformed", said, { cause: reason });
  }

  /** The same error with more details. */
  with(more: PveErrorDetails & { readonly message?: string }): PveError {
    const { message, ...details } = more;
    return new PveError(this.kind, message ?? this.message, { ...this.details, ...details });
  }

  get mayHaveHappened(): boolean {
    return this.details.mayHaveHappened === true;
  }

  /** A lock that is released automatically: the only error worth another attempt after a pause. */
  get isTransientLock(): boolean {
    return this.kind === "locked" && this.details.lock?.transient === true;
  }
}

/** Whether `reason` is a `PveError` of one of these kinds. */
export function isPveError(reason: unknown, ...kinds: readonly PveErrorKind[]): reason is PveError {
  return reason instanceof PveError && (kinds.length === 0 || kinds.includes(reason.kind));
}

/** Turns `not_found` into null and passes on every other failure: the difference between `find` and `get`. */
export async function orNull<T>(promise: Promise<T>): Promise<T | null> {
  try {
    return await promise;
  } catch (reason) {
    if (isPveError(reason, "not_found")) {
      return null;
    }
    throw reason;
  }
}
