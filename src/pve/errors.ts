/**
 * What went wrong, as far as a caller may act upon it. Callers switch on `kind`, exhaustively; the words of a
 * message are for people.
 *
 * - `unreachable` no answer, or a proxy's 595 to 599
 * - `auth` the credentials were not accepted
 * - `permission` they were, but a privilege is missing
 * - `not_found` what the call is about does not exist (PVE says so with 500, never 404)
 * - `exists` what the call would create does
 * - `locked` somebody else works on it; `lock` tells who and whether waiting helps
 * - `invalid` PVE refuses the request as it stands
 * - `conflict` the object's state forbids it: changed meanwhile, running, protected, in use
 * - `task` the call was accepted and its task failed
 * - `timeout` no answer, or no progress, in the time allowed
 * - `malformed` an answer that is not what the API promises
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

/** Which lock stood in the way. `transient` ones go away by themselves; the others need a person. */
export interface LockHeld {
  /** The value of the config's `lock`, the lock file, or the name of the cluster lock. */
  readonly name: string;
  readonly transient: boolean;
  /** The guest whose lock it is, where the name tells. */
  readonly vmid?: number;
  /** Nobody holds it: the host is too busy to begin. */
  readonly isOverload?: true;
  /** Who holds it: PVE's own word, or the task found running on that guest. */
  readonly holder?: string;
}

/** Privileges that would let the call through: one of them on one of the paths is enough. */
export interface MissingPrivilege {
  readonly paths: readonly string[];
  readonly privileges: readonly string[];
}

/**
 * Why a server's certificate was refused: it is not the pinned one, it is out of date or not valid yet, it is for another
 * host, nobody known has signed it, or something rarer.
 */
export type Distrust = "pin" | "expired" | "not_yet_valid" | "host_name" | "authority" | "other";

export interface PveErrorDetails {
  readonly method?: string;
  /** Path template, such as `/nodes/{node}/qemu/{vmid}/config`: the same for every guest. */
  readonly path?: string;
  readonly status?: number;
  /** PVE's `errors` map: what is wrong with which parameter. */
  readonly params?: Readonly<Record<string, string>>;
  readonly upid?: string;
  /** The last lines of the failed task's log. */
  readonly log?: readonly string[];
  readonly lock?: LockHeld;
  readonly missing?: MissingPrivilege;
  readonly distrust?: Distrust;
  /** How a caller whose login was refused has tried to log in, and as whom. */
  readonly login?: { readonly with: "token" | "password" | "ticket"; readonly as: string };
  /** A write whose fate is not known: the answer was lost, the work may have been done. Never send it again blindly. */
  readonly mayHaveHappened?: boolean;
  /** When such a write was sent, by the server's clock in Unix seconds: what `proveOutcome` starts from. */
  readonly sentAt?: number;
  /** How often it was tried in all, and how long was waited in between. */
  readonly attempts?: number;
  readonly waitedMs?: number;
  readonly cause?: unknown;
}

/** The one error of this layer. */
export class PveError extends Error {
  override readonly name = "PveError";
  readonly kind: PveErrorKind;
  readonly details: PveErrorDetails;

  constructor(kind: PveErrorKind, message: string, details: PveErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.kind = kind;
    this.details = details;
  }

  /** The one door for the unknown: whatever was thrown, as a `PveError`. */
  static from(reason: unknown): PveError {
    if (reason instanceof PveError) {
      return reason;
    }
    const said = reason instanceof Error ? reason.message : String(reason);
    return new PveError("malformed", said, { cause: reason });
  }

  /** The same error with more known about it. */
  with(more: PveErrorDetails & { readonly message?: string }): PveError {
    const { message, ...details } = more;
    return new PveError(this.kind, message ?? this.message, { ...this.details, ...details });
  }

  get mayHaveHappened(): boolean {
    return this.details.mayHaveHappened === true;
  }

  /** A lock that goes away by itself: the only error worth trying again after a pause. */
  get isTransientLock(): boolean {
    return this.kind === "locked" && this.details.lock?.transient === true;
  }
}

/** Whether `reason` is a `PveError` of one of these kinds. */
export function isPveError(reason: unknown, ...kinds: readonly PveErrorKind[]): reason is PveError {
  return reason instanceof PveError && (kinds.length === 0 || kinds.includes(reason.kind));
}

/** Turns `not_found` into null and lets every other failure pass: what `find` is to `get`. */
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
