import type { Registered } from "../define/provider-definition.ts";
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

/** For definitions that need nothing but the type of their objects. */
export const entryOf = <D extends { readonly attributes: Attributes }>(definition: D): Entry<D> => ({
  definition,
  root: nested(definition.attributes),
});

/** The definitions of one kind by type name, each loaded and prepared on first use. */
export class Registry<E extends Entry<unknown>> {
  readonly #runtime: Runtime;
  readonly #kind: string;
  readonly #loaders: ReadonlyMap<string, () => Promise<E>>;
  readonly #loaded = new Map<string, Promise<E>>();

  private constructor(runtime: Runtime, kind: string, loaders: ReadonlyMap<string, () => Promise<E>>) {
    this.#runtime = runtime;
    this.#kind = kind;
    this.#loaders = loaders;
  }

  /** The registry of one kind; `prepare` derives the entry from a loaded definition. */
  static of<D, E extends Entry<unknown>>(
    runtime: Runtime,
    kind: string,
    registered: Registered<D> = {},
    prepare: (definition: D) => E,
  ): Registry<E> {
    const loaders = Object.entries(registered).map(
      ([type, load]) => [type, async () => prepare(await load())] as const,
    );
    return new Registry(runtime, kind, new Map(loaders));
  }

  /** Terraform requests only types in the schema, so any other is a bug. */
  async get(type: string): Promise<E> {
    const found = await this.#find(type);
    if (found === undefined) throw new Failure(`Unknown ${this.#kind}`, `The provider has no ${this.#kind} "${type}".`);
    return found;
  }

  /** Starts a call on one of them. `signal` ends it early. */
  async begin(subject: Subject, signal?: AbortSignal): Promise<Call> {
    // `get` reports a definition that cannot be loaded, and needs a call to report it to.
    const root = await this.#find(subject.type)?.then(
      (entry) => entry.root,
      () => undefined,
    );
    return new Call(this.#runtime, { ...subject, ...(root ? { root } : {}) }, signal);
  }

  /** Answers a call on one of them. */
  async answer<T extends object>(
    subject: Subject,
    otherwise: T,
    work: (call: Call, entry: E) => Promise<T>,
  ): Promise<T & Diagnosed> {
    return answer(await this.begin(subject), otherwise, async (call) => work(call, await this.get(subject.type)));
  }

  #find(type: string): Promise<E> | undefined {
    const found = this.#loaded.get(type) ?? this.#loaders.get(type)?.();
    if (found !== undefined) this.#loaded.set(type, found);
    return found;
  }
}
