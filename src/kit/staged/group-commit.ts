import { EventEmitter, once } from "node:events";

/** One change of a run. */
export interface StagedChange {
  /** `proxmox_sdn_vnet web` */
  readonly key: string;
  /** Whether the commit may take along changes that other clients have staged. */
  readonly commitsForeign: boolean;
  readonly isRemoval?: boolean;
  /** Keys of objects that cannot be removed before this one: the zone of a vnet. Null: removals need not be known later. */
  readonly within?: readonly string[] | null;
  /** Keys of objects that PVE changes along with it. */
  readonly companions?: readonly string[];
}

interface Options<R> {
  /** Changes that the plan of this run announced; null if it is not known what it announced. */
  readonly announced: Iterable<string> | null;
  /** How long no other change may begin before none is expected, where that is not known. */
  readonly quietMs: number;
  /** How long a change waits for announced ones while none is under way: other clients wait, too. */
  readonly patienceMs: number;
  /** Called once before the first change that a commit will take: what it throws stops that change and those beside it. */
  prepare(change: StagedChange): Promise<void>;
  /** Ends a preparation that no commit follows, since no change was written. */
  release(): Promise<void>;
  /** Whether the plan of this run removes the object for good. */
  isRemoved(key: string): boolean;
  /** `forgotten` are removals that the state does not have any more: their resources have returned. */
  commit(changes: readonly StagedChange[], forgotten: readonly StagedChange[]): Promise<R>;
}

/**
 * Changes of one staged configuration. Terraform applies up to ten resources at a time, and those that refer to others
 * after them: one commit serves all that are under way. A change that is followed by an announced one does not wait for the
 * commit, since its successor may not begin before it has returned. A removal waits, unless a later run on
 * another machine would know it as its own: the state forgets the object when the removal returns.
 */
export class GroupCommit<R> {
  readonly #options: Options<R>;
  readonly #events = new EventEmitter().setMaxListeners(0);
  readonly #known: Set<string>;
  /** How often each change is still to come: an object that is replaced changes twice. */
  readonly #due = new Map<string, number>();
  #isForeseeable: boolean;
  #underWay = 0;
  #staged: StagedChange[] = [];
  readonly #returned = new Set<StagedChange>();
  readonly #results = new Map<StagedChange, Promise<R>>();
  #preparation: Promise<void> | undefined;
  #round: Promise<void> | undefined;
  #commit: Promise<unknown> | undefined;
  #patience: NodeJS.Timeout | undefined;

  constructor(options: Options<R>) {
    this.#options = options;
    this.#known = new Set(options.announced ?? []);
    for (const key of options.announced ?? []) this.#due.set(key, (this.#due.get(key) ?? 0) + 1);
    this.#isForeseeable = options.announced !== null;
  }

  /** Whether something waits for a commit, is about to, or is being committed. */
  get isOpen(): boolean {
    return this.#underWay > 0 || this.#staged.length > 0 || this.#commit !== undefined;
  }

  /** Whether further changes were announced. */
  get isExpecting(): boolean {
    return this.#isForeseeable && this.#due.size > 0;
  }

  /** Whether the change belongs to this run: it was announced, or has begun. */
  includes(key: string): boolean {
    return this.#known.has(key);
  }

  /** Whether this run removes the object, or has begun to. */
  removes(key: string): boolean {
    return this.#options.isRemoved(key) || this.#staged.some((one) => one.isRemoval && one.key === key);
  }

  /** Writes one change. What begins during a commit waits for its end, and belongs to the next one. */
  async stage<T>(change: StagedChange, write: () => Promise<T>): Promise<T> {
    for (const key of [change.key, ...(change.companions ?? [])]) this.#known.add(key);
    this.#expectOneLess(change.key);
    this.#underWay++;
    clearTimeout(this.#patience);
    this.#events.emit("begin");
    try {
      await this.#commit?.catch(() => {});
      await this.#prepare(change);
      const result = await write();
      this.#staged.push(change);
      return result;
    } catch (reason) {
      // What refers to this object does not come any more.
      this.#isForeseeable = false;
      this.#due.clear();
      throw reason;
    } finally {
      this.#underWay--;
      this.#events.emit("change");
    }
  }

  #expectOneLess(key: string): void {
    const times = this.#due.get(key) ?? 0;
    if (times > 1) this.#due.set(key, times - 1);
    else this.#due.delete(key);
  }

  #prepare(change: StagedChange): Promise<void> {
    this.#preparation ??= this.#options.prepare(change).catch((reason: unknown) => {
      this.#preparation = undefined;
      throw reason;
    });
    return this.#preparation;
  }

  /** The result of the commit with this change. Null: a later change of this run commits it. */
  async settle(change: StagedChange): Promise<R | null> {
    if (this.#due.size > 0 && !this.#results.has(change) && this.#mayReturn(change)) {
      this.#returned.add(change);
      this.#waitForAnnounced();
      return null;
    }
    while (!this.#results.has(change) && this.#staged.includes(change)) await this.#nextRound();
    return (await this.#results.get(change)) ?? null;
  }

  /** A later run plans the object again, or the removal of what it is in, and so knows a removal that waits. */
  #mayReturn({ key, isRemoval, within = null }: StagedChange): boolean {
    if (!isRemoval || within === null || this.#due.has(key)) return true;
    return within.some((one) => this.#due.has(one) && this.#options.isRemoved(one));
  }

  #waitForAnnounced(): void {
    clearTimeout(this.#patience);
    this.#patience = setTimeout(() => void this.#nextRound(), this.#options.patienceMs).unref();
  }

  /** Commits what is staged now, without waiting for announced changes: another object needs it in effect. */
  async flush(): Promise<void> {
    // What is staged since a commit has begun belongs to the next one.
    if (this.#commit !== undefined) await this.#round;
    if (this.isOpen || this.#preparation !== undefined) await this.#nextRound();
  }

  /** Nothing follows: commits what is staged, at once. */
  async end(): Promise<void> {
    clearTimeout(this.#patience);
    this.#due.clear();
    this.#isForeseeable = true;
    await this.flush();
  }

  /** Ends without an error: who has a part in the commit finds its result. */
  #nextRound(): Promise<void> {
    this.#round ??= this.#run().finally(() => {
      this.#round = undefined;
    });
    return this.#round;
  }

  async #run(): Promise<void> {
    await this.#quiet();
    const changes = this.#staged;
    const isPrepared = this.#preparation !== undefined;
    this.#staged = [];
    this.#preparation = undefined;
    clearTimeout(this.#patience);
    if (changes.length === 0) {
      if (isPrepared) await this.#options.release().catch(() => {});
      return;
    }
    const forgotten = changes.filter((change) => change.isRemoval && this.#returned.has(change));
    const result = this.#options.commit(changes, forgotten);
    for (const change of changes) this.#results.set(change, result);
    this.#commit = result;
    await result.catch(() => {});
    this.#commit = undefined;
  }

  /** Waits until no change is under way, and none is to be expected. */
  async #quiet(): Promise<void> {
    for (;;) {
      if (this.#underWay > 0) await once(this.#events, "change");
      else if ((this.#isForeseeable && this.#due.size === 0) || !(await this.#begins())) return;
    }
  }

  async #begins(): Promise<boolean> {
    try {
      await once(this.#events, "begin", { signal: AbortSignal.timeout(this.#options.quietMs) });
      return true;
    } catch {
      return false;
    }
  }
}
