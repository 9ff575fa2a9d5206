import { CodecError } from "../codec/codec-error.ts";
import type { CallContext } from "../define/context.ts";
import type { Explanation, Failed } from "../define/provider-definition.ts";
import { Failure } from "../failure.ts";
import type { Logger } from "../logger.ts";
import { SchemaMismatch } from "../schema/from-view.ts";
import { formatPath } from "../schema/path.ts";
import { secretsIn } from "../schema/secrets.ts";
import type { Type } from "../schema/type.ts";
import { nested } from "../schema/types.ts";
import type { Diagnosed, DynamicValue } from "../server.ts";
import type { Value } from "../values/value.ts";
import { Collector } from "./collector.ts";
import { Deadline } from "./deadline.ts";
import type { Runtime } from "./runtime.ts";

/** What a call is about. */
export interface Subject extends Failed {
  /** Terraform's name for the call. */
  readonly rpc: string;
  /** The type that the paths in messages lead through. */
  readonly root?: Type;
}

const NOTHING = nested({});

/** One call in progress: its messages, its signal, and its error handling. */
export class Call {
  readonly runtime: Runtime;
  readonly report: Collector;
  readonly #secrets: Set<string>;
  #about: Failed;
  #deadline: Deadline;

  constructor(runtime: Runtime, subject: Subject, signal?: AbortSignal) {
    this.runtime = runtime;
    this.#secrets = new Set(runtime.secrets);
    this.report = new Collector(subject.root ?? NOTHING, this.#secrets, {
      subject: `${subject.type}, ${subject.rpc}`,
      provider: runtime.provider.name,
    });
    this.#about = subject;
    this.#deadline = new Deadline(signal ? AbortSignal.any([runtime.signal, signal]) : runtime.signal);
  }

  get log(): Logger {
    return this.runtime.log;
  }

  get signal(): AbortSignal {
    return this.#deadline.signal;
  }

  /** What every hook receives. */
  get context(): CallContext {
    return { signal: this.signal, report: this.report, log: this.log };
  }

  /** Sets the subject and the deadline of the rest of the call. */
  begin(about: Partial<Failed>, deadline?: Deadline): void {
    this.#about = { ...this.#about, ...about };
    if (deadline === undefined) return;
    this.end();
    this.#deadline = deadline;
  }

  end(): void {
    this.#deadline.end();
  }

  /** Reads a value from Terraform, and registers the secrets in it. Throws `CodecError`. */
  decode(type: Type, value: DynamicValue): Value {
    const decoded = this.runtime.values.decode(type, value);
    const secrets = secretsIn(type, decoded);
    for (const secret of secrets) this.#secrets.add(secret);
    this.runtime.noteSecrets(secrets);
    return decoded;
  }

  /** Runs something that may fail; `report` shows whether it did. */
  async attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.explain(error);
    }
  }

  /** Turns any thrown value into messages. */
  explain(error: unknown): void {
    const failure = causes(error).find((cause) => cause instanceof Failure);
    if (failure) {
      this.report.error(failure.path, failure.summary, failure.detail);
    } else if (error instanceof CodecError) {
      const place = error.path.length > 0 ? ` at ${formatPath(error.path)}` : "";
      this.report.bug(`A value from Terraform does not fit the schema: expected ${error.message}${place}.`, error.path);
    } else if (error instanceof SchemaMismatch) {
      const place = error.path.length > 0 ? ` at ${formatPath(error.path)}` : "";
      this.report.bug(`The provider's answer does not fit its schema: expected ${error.message}${place}.`, error.path);
    } else {
      this.#explainForeign(error);
    }
  }

  #explainForeign(error: unknown): void {
    const explanations = this.#diagnose(error);
    for (const { severity = "error", path = null, summary, detail } of explanations) {
      this.report[severity](path, summary, detail);
    }
    if (this.signal.aborted) {
      this.report.add("error", [], ...this.#deadline.excuse(this.#about));
    } else if (explanations.length === 0) {
      this.log.error("a hook threw an unexpected error", { ...this.#about, error });
      this.report.bug(messageOf(error));
    }
  }

  #diagnose(error: unknown): Explanation[] {
    try {
      return [this.runtime.provider.diagnose?.(error, this.#about) ?? []].flat();
    } catch (worse) {
      this.report.bug(`An error could not be explained: ${messageOf(worse)}.`);
      return [];
    }
  }
}

/** The error, its cause, the cause of that … */
export function causes(error: unknown): unknown[] {
  const chain = [error];
  for (let next = error; next instanceof Error && next.cause !== undefined && chain.length < 10; ) {
    next = next.cause;
    chain.push(next);
  }
  return chain;
}

const messageOf = (error: unknown): string =>
  causes(error)
    .map((cause) => (cause instanceof Error ? cause.message : String(cause)))
    .join(": ");

/**
 * Answers a call in every case: errors become messages, together with the result of `work` or, if it failed,
 * `otherwise`.
 */
export async function answer<T extends object>(
  call: Call,
  otherwise: T,
  work: (call: Call) => Promise<T>,
): Promise<T & Diagnosed> {
  const result = await work(call)
    .catch((error: unknown) => {
      call.explain(error);
      return otherwise;
    })
    .finally(() => call.end());
  return { ...result, diagnostics: call.report.diagnostics };
}
