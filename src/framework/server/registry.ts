import { Failure } from "../failure.ts";
import type { Attributes } from "../schema/attribute.ts";
import type { Type } from "../schema/type.ts";
import { nested } from "../schema/types.ts";
import type { Diagnosed } from "../server.ts";
import { answer, Call, type Subject } from "./call.ts";
import type { Runtime } from "./runtime.ts";

/** A definition and the type of its objects. */
export interface Entry<D> {
  readonly definition: D;
  readonly root: Type;
}

/** The definitions of one kind by type name, each prepared on first use. */
export class Registry<E extends Entry<unknown>> {
  readonly #runtime: Runtime;
  readonly #kind: string;
  readonly #makers: ReadonlyMap<string, () => E>;
  readonly #made = new Map<string, E>();

  constructor(runtime: Runtime, kind: string, makers: Iterable<readonly [string, () => E]>) {
    this.#runtime = runtime;
    this.#kind = kind;
    this.#makers = new Map(makers);
  }

  /** For definitions that need nothing but the type of their objects. */
  static of<D extends { readonly type: string; readonly attributes: Attributes }>(
    runtime: Runtime,
    kind: string,
    definitions: readonly D[] = [],
  ): Registry<Entry<D>> {
    const entry = (definition: D) => () => ({ definition, root: nested(definition.attributes) });
    return new Registry(
      runtime,
      kind,
      definitions.map((definition) => [definition.type, entry(definition)]),
    );
  }

  /** Terraform requests only types in the schema, so any other is a bug. */
  get(type: string): E {
    const found = this.#find(type);
    if (found === undefined) throw new Failure(`Unknown ${this.#kind}`, `The provider has no ${this.#kind} "${type}".`);
    return found;
  }

  /** Starts a call on one of them. `signal` ends it early. */
  begin(subject: Subject, signal?: AbortSignal): Call {
    const root = this.#find(subject.type)?.root;
    return new Call(this.#runtime, { ...subject, ...(root ? { root } : {}) }, signal);
  }

  /** Answers a call on one of them. */
  answer<T extends object>(
    subject: Subject,
    otherwise: T,
    work: (call: Call, entry: E) => Promise<T>,
  ): Promise<T & Diagnosed> {
    return answer(this.begin(subject), otherwise, async (call) => work(call, this.get(subject.type)));
  }

  #find(type: string): E | undefined {
    const made = this.#made.get(type) ?? this.#makers.get(type)?.();
    if (made !== undefined) this.#made.set(type, made);
    return made;
  }
}
