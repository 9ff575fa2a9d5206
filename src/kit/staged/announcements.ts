import { randomUUID } from "node:crypto";
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { attempt, clusterOf, defaultFolder, isOurs, startOf } from "../notes-folder.ts";
import type { Session } from "../session.ts";
import { type PlannedChange, savedPlan } from "./saved-plan.ts";

/**
 * What a plan is going to change in staged configurations, for the apply of the same run. Terraform applies in another
 * process of the provider than it plans, and names one resource at a time to it: without a note, the first of twenty
 * changes cannot know that nineteen follow, and commits alone. The note is a file for each process of Terraform; a saved
 * plan has it in its own file. An apply that finds neither commits more often, and nothing else changes.
 */
export class Announcements {
  readonly #folder: string;
  readonly #cluster: string;
  readonly #run: string;
  readonly #file: string;
  readonly #left: string;
  #isApplying = false;
  #known: readonly PlannedChange[] | undefined;

  constructor(api: Session, folder = defaultFolder()) {
    this.#cluster = clusterOf(api);
    this.#folder = folder;
    this.#run = `${process.ppid}-${startOf(process.ppid)}-${this.#cluster}-`;
    this.#file = join(folder, `${this.#run}${randomUUID()}`);
    this.#left = join(folder, `left-${this.#cluster}`);
  }

  /**
   * Called by the plan of each change, for its private data. The plans that Terraform makes again during an apply add
   * nothing to the note.
   */
  add(scope: string, key: string, how?: "twice" | "removed"): PlannedChange {
    const noted = how === undefined ? ([] as const) : ([how] as const);
    if (!this.#isApplying) this.#append(this.#file, [scope, key, ...noted]);
    return [this.#cluster, scope, key, ...noted];
  }

  /**
   * What the plan of this run announced, if it announced this change; null if there is no such plan. Terraform plans an
   * object that is replaced twice, and the second plan says so.
   */
  of(scope: string, key: string): readonly string[] | null {
    const here = this.#in(scope);
    const replaced = new Set(here.flatMap(([, , what, how]) => (how === "twice" ? [what] : [])));
    const announced = [...new Set(here.map(([, , what]) => what)), ...replaced];
    return announced.includes(key) ? announced : null;
  }

  /** Whether the plan of this run removes the object for good. */
  isRemoved(scope: string, key: string): boolean {
    return this.#in(scope).some(([, , what, how]) => what === key && how === "removed");
  }

  #in(scope: string): readonly PlannedChange[] {
    this.#isApplying = true;
    this.#known ??= savedPlan()?.filter(([cluster]) => cluster === this.#cluster) ?? this.#noted();
    return this.#known.filter(([, where]) => where === scope);
  }

  #noted(): PlannedChange[] {
    const last = this.#others().at(-1);
    const lines = last === undefined ? "" : (attempt(() => readFileSync(last, "utf8")) ?? "");
    return lines
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => [this.#cluster, ...JSON.parse(line)] as unknown as PlannedChange);
  }

  /** Called before a change is written: a later run knows it as its own if this one ends before the commit. */
  begin(scope: string, key: string): void {
    this.#append(this.#left, [scope, key]);
  }

  #append(file: string, note: readonly string[]): void {
    attempt(() => {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      if (isOurs(this.#folder)) appendFileSync(file, `${JSON.stringify(note)}\n`, { mode: 0o600 });
    });
  }

  /** Whether an interrupted run has written the change. */
  isLeft(scope: string, key: string): boolean {
    return this.#leftLines().includes(JSON.stringify([scope, key]));
  }

  /** Whether an interrupted run has written anything in this scope. */
  isLeftIn(scope: string): boolean {
    return this.#leftLines().some((line) => (JSON.parse(line) as string[])[0] === scope);
  }

  /** Everything that was staged in this scope is in effect. */
  end(scope: string): void {
    const others = this.#leftLines().filter((line) => (JSON.parse(line) as string[])[0] !== scope);
    attempt(() => {
      if (others.length === 0) rmSync(this.#left, { force: true });
      else if (isOurs(this.#folder)) writeFileSync(this.#left, `${others.join("\n")}\n`, { mode: 0o600 });
    });
  }

  #leftLines(): string[] {
    const text = attempt(() => (isOurs(this.#folder) ? readFileSync(this.#left, "utf8") : "")) ?? "";
    return text.split("\n").filter((line) => line !== "");
  }

  /** Notes of other sessions of the same process of Terraform, the latest last. */
  #others(): string[] {
    const found = attempt(() => (isOurs(this.#folder) ? readdirSync(this.#folder) : [])) ?? [];
    return found
      .filter((name) => name.startsWith(this.#run))
      .map((name) => join(this.#folder, name))
      .filter((file) => file !== this.#file)
      .map((file) => ({ file, at: attempt(() => statSync(file).mtimeMs) ?? 0 }))
      .sort((a, b) => a.at - b.at)
      .map(({ file }) => file);
  }

  /** Removes what no apply reads any more. */
  discard(): void {
    for (const file of [...this.#others(), this.#file]) attempt(() => rmSync(file, { force: true }));
  }
}
