/**
 * What several resources of one run share: each question is asked once. A failure is not remembered, and what a write may
 * have changed is forgotten.
 */
export class RunStore {
  readonly #answers = new Map<string, Promise<unknown>>();
  readonly #kept = new Map<string, unknown>();
  readonly #looks = new WeakMap<object, RunStore>();

  /** The answer, asked for by the first caller. */
  remember<T>(question: string, ask: () => Promise<T>): Promise<T> {
    const known = this.#answers.get(question);
    if (known !== undefined) return known as Promise<T>;
    const asked = ask();
    this.#answers.set(question, asked);
    asked.catch(() => {
      if (this.#answers.get(question) === asked) this.#answers.delete(question);
    });
    return asked;
  }

  /** The answer for all who ask at the same time; the next one asks again. */
  together<T>(question: string, ask: () => Promise<T>): Promise<T> {
    return this.remember(question, () => ask().finally(() => this.forget(question)));
  }

  /** Answers that are as old as one look at the cluster. */
  of(look: object): RunStore {
    const store = this.#looks.get(look) ?? new RunStore();
    this.#looks.set(look, store);
    return store;
  }

  /** Something that the run changes as it goes; created by the first caller. */
  keep<T>(name: string, create: () => T): T {
    if (!this.#kept.has(name)) this.#kept.set(name, create());
    return this.#kept.get(name) as T;
  }

  forget(question: string): void {
    this.#answers.delete(question);
  }

  /** Forgets every answer whose question begins so. */
  forgetUnder(prefix: string): void {
    for (const question of [...this.#answers.keys()]) if (question.startsWith(prefix)) this.forget(question);
  }

  /** Does work that changes the answer, or that may have changed it when it fails. */
  async changing<R>(question: string, work: () => Promise<R>): Promise<R> {
    try {
      return await work();
    } finally {
      this.forget(question);
    }
  }
}
