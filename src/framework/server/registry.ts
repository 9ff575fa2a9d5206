import { Failure } from "../failure.ts";
import type { Type } from "../schema/type.ts";
import type { Diagnosed } from "../server.ts";
import { answer, type Call, type Subject } from "./call.ts";
import type { Runtime } from "./runtime.ts";

/** The definitions of one kind by their type names, each made ready when it is first asked for. */
export class Registry<D extends { readonly root: Type }> {
  readonly #runtime: Runtime;
  readonly #kind: string;
  readonly #makers: ReadonlyMap<string, () => D>;
  readonly #made = new Map<string, D>();

  constructor(runtime: Runtime, kind: string, makers: Iterable<readonly [string, () => D]>) {
    this.#runtime = runtime;
    this.#kind = kind;
    this.#makers = new Map(makers);
  }

  find(type: string): D | undefined {
    const made = this.#made.get(type) ?? this.#makers.get(type)?.();
    if (made !== undefined) this.#made.set(type, made);
    return made;
  }

  /** Terraform asks only for what the schema has, so anything else is somebody's mistake. */
  get(type: string): D {
    const found = this.find(type);
    if (found === undefined) throw new Failure(`Unknown ${this.#kind}`, `The provider has no ${this.#kind} "${type}".`);
    return found;
  }

  /** Answers a call that is about one of them. */
  answer<T extends object>(
    subject: Subject,
    otherwise: T,
    work: (call: Call, definition: D) => Promise<T>,
  ): Promise<T & Diagnosed> {
    const root = this.find(subject.type)?.root;
    return answer(this.#runtime, { ...subject, ...(root ? { root } : {}) }, otherwise, async (call) =>
      work(call, this.get(subject.type)),
    );
  }
}
