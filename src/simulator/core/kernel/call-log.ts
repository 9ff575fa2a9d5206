interface Entry {
  count: number;
  seconds: number;
  statuses: Record<number, number>;
}

/** One call with its result. */
export interface CallReport {
  readonly method: string;
  /** As requested. */
  readonly path: string;
  readonly status: number;
  readonly seconds: number;
}

type Listener = (call: CallReport) => void;

/** Counts the calls by endpoint (`GET /nodes/{node}/qemu/{vmid}/config`); unknown calls are counted by their path. */
export class CallLog {
  #entries = new Map<string, Entry>();
  #unserved = new Map<string, number>();
  readonly #listeners = new Set<Listener>();

  /** Calls the listener for every call from now on; returns a function that unsubscribes it. */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  report(call: CallReport): void {
    for (const listener of this.#listeners) {
      listener(call);
    }
  }

  add(endpoint: string, status: number, seconds: number): void {
    const entry = this.#entries.get(endpoint) ?? { count: 0, seconds: 0, statuses: {} };
    entry.count++;
    entry.seconds += seconds;
    entry.statuses[status] = (entry.statuses[status] ?? 0) + 1;
    this.#entries.set(endpoint, entry);
  }

  addUnserved(call: string): void {
    this.#unserved.set(call, (this.#unserved.get(call) ?? 0) + 1);
  }

  clear(): void {
    this.#entries.clear();
    this.#unserved.clear();
  }

  summary(): object {
    const calls = [...this.#entries].map(([endpoint, entry]) => ({ endpoint, ...entry }));
    return {
      total: calls.reduce((sum, { count }) => sum + count, 0),
      calls: calls.sort((one, other) => other.count - one.count),
      unserved: Object.fromEntries(this.#unserved),
    };
  }
}
