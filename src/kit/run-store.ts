/**
 * What several resources of one run share: each question is asked once. A failure is not remembered, and what a write may
 * have changed is forgotten.
 */
export class RunStore {
  readonly #answers = new Map<string, Promise<unknown>>();

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

  forget(question: string): void {
    this.#answers.delete(question);
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
