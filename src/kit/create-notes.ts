import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { GuestType } from "#pve";
import { attempt, clusterOf, defaultFolder, isOurs, isRunning, type ProcessNote, startOf } from "./notes-folder.ts";
import type { Session } from "./session.ts";

/** A guest that is being created. */
export interface BegunCreate {
  readonly type: GuestType;
  readonly vmid: number;
}

/**
 * The guests that processes of this machine are creating, a file for each. A process that is killed leaves its file behind: no
 * list of PVE shows such a guest, and no plan would find it once its resource was renamed or removed.
 */
export class CreateNotes {
  readonly #folder: string;
  readonly #prefix: string;

  constructor(api: Session, folder = defaultFolder()) {
    this.#folder = folder;
    this.#prefix = `create-${clusterOf(api)}-`;
  }

  begin(guest: BegunCreate): void {
    const note: BegunCreate & ProcessNote = { ...guest, pid: process.pid, start: startOf(process.pid) };
    attempt(() => {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      if (isOurs(this.#folder)) writeFileSync(this.#file(guest.vmid), JSON.stringify(note), { mode: 0o600 });
    });
  }

  end(vmid: number): void {
    attempt(() => rmSync(this.#file(vmid), { force: true }));
  }

  /** The guests of processes that have ended without completing them. */
  abandoned(): BegunCreate[] {
    const names = attempt(() => (isOurs(this.#folder) ? readdirSync(this.#folder) : [])) ?? [];
    return names.filter((name) => name.startsWith(this.#prefix)).flatMap((name) => this.#read(name) ?? []);
  }

  #read(name: string): BegunCreate | undefined {
    return attempt(() => {
      const note = JSON.parse(readFileSync(join(this.#folder, name), "utf8")) as BegunCreate & ProcessNote;
      return isRunning(note) ? undefined : { type: note.type, vmid: note.vmid };
    });
  }

  #file(vmid: number): string {
    return join(this.#folder, `${this.#prefix}${vmid}`);
  }
}
