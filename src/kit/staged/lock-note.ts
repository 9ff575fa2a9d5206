import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { attempt, clusterOf, defaultFolder, isOurs, isRunning, type ProcessNote, startOf } from "../notes-folder.ts";
import type { Session } from "../session.ts";

interface Note extends ProcessNote {
  readonly token: string;
  /** The process could not release it. */
  readonly isGivenUp: boolean;
}

/**
 * The token of a lock that has no time limit, kept while a process holds it. PVE releases such a lock for its token alone: a
 * later run on the same machine can do so for a process that was killed, without touching the lock of another client.
 */
export class LockNote {
  readonly #folder: string;
  readonly #file: string;

  constructor(api: Session, lock: string, folder = defaultFolder()) {
    this.#folder = folder;
    this.#file = join(folder, `lock-${clusterOf(api)}-${lock}`);
  }

  hold(token: string, { isGivenUp = false } = {}): void {
    const note: Note = { token, pid: process.pid, start: startOf(process.pid), isGivenUp };
    attempt(() => {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      if (isOurs(this.#folder)) writeFileSync(this.#file, JSON.stringify(note), { mode: 0o600 });
    });
  }

  /** The lock with this token is released. Another run may have noted its own since. */
  release(token: string): void {
    if (this.#read()?.token === token) attempt(() => rmSync(this.#file, { force: true }));
  }

  /** The token of a process that ended without releasing the lock; null if there is none. */
  abandoned(): string | null {
    const note = this.#read();
    return note !== undefined && (note.isGivenUp || !isRunning(note)) ? note.token : null;
  }

  #read(): Note | undefined {
    return attempt(() => (isOurs(this.#folder) ? (JSON.parse(readFileSync(this.#file, "utf8")) as Note) : undefined));
  }
}
