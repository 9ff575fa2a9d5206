import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { attempt, clusterOf, defaultFolder, isOurs, startOf } from "./notes-folder.ts";
import type { Session } from "./session.ts";
import { planFileOf } from "./staged/saved-plan.ts";
import { commandLineOf } from "./terraform-command.ts";

/**
 * Whether Terraform plans again, as it does before it applies a change. It does that in another process of the provider, and
 * the protocol does not tell the second plan from the first. So the first leaves a note, and the second takes it: a file for
 * each cluster with the process of Terraform in it. A plan that misses the note counts as the first.
 */
export class PlanNote {
  readonly isSecondPlan: boolean;
  readonly #folder: string;
  readonly #file: string;
  readonly #run: string;

  constructor(api: Session, folder = defaultFolder()) {
    this.#folder = folder;
    this.#file = join(folder, `planned-${clusterOf(api)}`);
    this.#run = `${process.ppid}-${startOf(process.ppid)}`;
    const isNoted = attempt(() => isOurs(folder) && readFileSync(this.#file, "utf8") === this.#run) === true;
    this.isSecondPlan = isNoted || planFileOf(commandLineOf(process.ppid)) !== null;
    if (isNoted) this.discard();
    else this.#write();
  }

  #write(): void {
    attempt(() => {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      if (isOurs(this.#folder)) writeFileSync(this.#file, this.#run, { mode: 0o600 });
    });
  }

  /** A plan that is refused is not applied. */
  discard(): void {
    attempt(() => rmSync(this.#file, { force: true }));
  }
}

export const planNoteOf = (api: Session): PlanNote => api.store.keep("note of the plan", () => new PlanNote(api));
