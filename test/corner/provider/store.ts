import { randomUUID } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * What the corner provider manages: JSON files in a folder, so that objects outlive the provider's process, and tests
 * can read and change them without Terraform.
 */
export class Store {
  readonly folder: string;
  readonly label: string;

  constructor(folder: string, label: string) {
    this.folder = folder;
    this.label = label;
    mkdirSync(folder, { recursive: true });
  }

  /** Stores an object under a new id, which becomes part of it. */
  add(kind: string, object: object): string {
    const id = randomUUID().slice(0, 8);
    this.put(kind, id, { ...object, id });
    return id;
  }

  /** A reader must never see half a file: Terraform may be killed at any moment. */
  put(kind: string, id: string, object: object): void {
    const draft = `${this.#path(kind, id)}.${process.pid}`;
    writeFileSync(draft, JSON.stringify(object));
    renameSync(draft, this.#path(kind, id));
  }

  find<T>(kind: string, id: string): T | null {
    const path = this.#path(kind, id);
    return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as T) : null;
  }

  change(kind: string, id: string, object: object): void {
    this.put(kind, id, { ...this.find<object>(kind, id), ...object });
  }

  remove(kind: string, id: string): void {
    rmSync(this.#path(kind, id), { force: true });
  }

  /** What the provider did, in order, for tests that ask for it. */
  note(line: string): void {
    appendFileSync(join(this.folder, "journal.txt"), `${line}\n`);
  }

  #path(kind: string, id: string): string {
    return join(this.folder, `${kind}-${encodeURIComponent(id)}.json`);
  }
}
