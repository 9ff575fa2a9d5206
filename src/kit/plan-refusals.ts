import type { PathLike, Report } from "#framework";
import { type PlanNote, planNoteOf } from "./plan-note.ts";
import type { Session } from "./session.ts";
import { SharedFailure } from "./shared-failure.ts";

/** With `isFree`, nothing stops the destruction of the object itself. */
const wayPast = (isFree: boolean): string =>
  `Until this is solved, \`-target\` plans other resources${isFree ? ", and `terraform destroy` works with `-refresh=false`" : ""}.`;

interface Refusal {
  readonly path: PathLike;
  readonly summary: string;
  readonly detail: string;
}

/**
 * What the plan of one resource is refused for. The resources of a `count` are refused for the same: the first of them
 * reports it, with the number of the others. One refusal stops the whole plan, and a destroy, which plans every change
 * first: the error says how to proceed without it. Before an apply, Terraform plans each resource again and compares: then
 * each reports for itself, since what it plans is not what it has planned before.
 */
export class PlanRefusals implements Report {
  readonly #report: Report;
  readonly #api: Session | undefined;
  readonly #note: PlanNote | undefined;
  readonly #found: Refusal[] = [];

  constructor(report: Report, api: Session | undefined) {
    this.#report = report;
    this.#api = api;
    this.#note = api && planNoteOf(api);
  }

  error(path: PathLike, summary: string, detail: string): void {
    this.#found.push({ path, summary, detail });
  }

  warning(path: PathLike, summary: string, detail: string): void {
    this.#report.warning(path, summary, detail);
  }

  refusedElsewhere(summary: string, detail: string): void {
    if (this.#note?.isSecondPlan) this.#report.error(null, summary, detail);
    else this.#report.refusedElsewhere(summary, detail);
  }

  get failed(): boolean {
    return this.#found.length > 0 || this.#report.failed;
  }

  /** Reports what was found. Not part of the plan's own work: who waits for that must not wait for this. */
  async report(type: string, canDestroy: () => Promise<boolean>): Promise<void> {
    const isSecondPlan = this.#note?.isSecondPlan ?? false;
    if (this.failed && !isSecondPlan) this.#note?.discard();
    const api = isSecondPlan ? undefined : this.#api;
    // Who may not change an object may often not destroy it either.
    const isLacking = this.#found.some(({ summary }) => summary === "Privileges missing");
    const isFree = this.#found.length > 0 && !isLacking && (await canDestroy());
    const shared = this.#found.map((refusal) => ({ refusal, failure: join(type, refusal, api) }));
    for (const { refusal, failure } of shared) {
      const { path, summary, detail } = refusal;
      const others = failure === "elsewhere" ? 0 : await failure.settle();
      if (failure === "elsewhere") {
        this.#report.refusedElsewhere(
          summary,
          "Another resource of this plan is refused for the same, and reports it.",
        );
        continue;
      }
      const count = `${others} more ${others === 1 ? "resource has" : "resources have"} the same problem.`;
      const parts = [detail, ...(others === 0 ? [] : [count]), wayPast(isFree)];
      this.#report.error(path, summary, parts.join("\n\n"));
    }
  }
}

/** Waits for others that are refused for the same; returns how many there were. */
interface Reporter {
  settle(): Promise<number>;
}

function join(type: string, refusal: Refusal, api: Session | undefined): Reporter | "elsewhere" {
  if (api === undefined) return { settle: async () => 0 };
  const failures = api.store.keep("refusals that are not reported yet", () => new Map<string, SharedFailure>());
  const key = JSON.stringify([type, refusal]);
  const held = failures.get(key);
  if (held !== undefined) {
    held.others += 1;
    return "elsewhere";
  }
  const failure = new SharedFailure();
  failures.set(key, failure);
  const settle = async () => {
    await failure.untilQuiet(() => !api.plans.isIdle);
    failures.delete(key);
    return failure.others;
  };
  return { settle };
}
