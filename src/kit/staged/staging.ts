import type { Logger, Report } from "#framework";
import type { Session } from "../session.ts";
import { Announcements } from "./announcements.ts";
import { GroupCommit, type StagedChange } from "./group-commit.ts";
import type { PlannedChange } from "./saved-plan.ts";
import type { CommitResult, StagedScope } from "./scope.ts";

const quietMs = 250;

const announcementsOf = (api: Session): Announcements => api.store.keep("announcements", () => new Announcements(api));

const groupsOf = (api: Session): Map<string, GroupCommit<CommitResult>> =>
  api.store.keep("staged configurations", () => new Map());

/** The plan will change something that is staged first. Its private data takes the result, for a plan that is saved. */
export const announceChange = (api: Session, scope: Pick<StagedScope, "name">, key: string): PlannedChange =>
  announcementsOf(api).add(scope.name, key);

/** What the plan of this run announced, if it announced this change; null if that is not known. */
export const announcedWith = (api: Session, scope: Pick<StagedScope, "name">, key: string): readonly string[] | null =>
  announcementsOf(api).of(scope.name, key);

/** Whether the change belongs to this run, as far as it has been applied. */
export const isStagedHere = (api: Session, scope: StagedScope, key: string): boolean =>
  groupsOf(api).get(scope.name)?.includes(key) ?? false;

interface Context {
  readonly api: Session;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** A change of a staged configuration, from its first call to its commit. */
export class Staging {
  readonly #change: StagedChange;
  readonly #group: GroupCommit<CommitResult>;
  readonly #note: () => void;

  constructor(context: Context, scope: StagedScope, change: StagedChange) {
    this.#change = change;
    this.#note = () => announcementsOf(context.api).begin(scope.name, change.key);
    this.#group = groupOf(context, scope, change.key);
  }

  /** Writes the change. When it fails, what others have staged is committed all the same: no later change may come. */
  async stage<T>(write: () => Promise<T>): Promise<T> {
    try {
      return await this.#group.stage(this.#change, () => {
        this.#note();
        return write();
      });
    } catch (reason) {
      await this.#group.flush();
      throw reason;
    }
  }

  /** Returns when the change is in effect, or when a later change of this run will put it into effect. */
  async settle(report: Pick<Report, "warning">): Promise<void> {
    const result = await this.#group.settle(this.#change);
    for (const { summary, detail } of result === null ? [] : unreported(result)) {
      report.warning(null, summary, detail);
    }
  }
}

/** Puts into effect what this run has staged: what is done next needs it. */
export async function commitStaged(api: Session): Promise<void> {
  await Promise.all([...groupsOf(api).values()].map((group) => group.flush()));
}

function groupOf({ api, log, signal }: Context, scope: StagedScope, key: string): GroupCommit<CommitResult> {
  const groups = groupsOf(api);
  const known = groups.get(scope.name);
  if (known !== undefined) return known;
  const notes = announcementsOf(api);
  const isOwn = (other: string): boolean => group.includes(other) || notes.isLeft(scope.name, other);
  const group: GroupCommit<CommitResult> = new GroupCommit({
    announced: notes.of(scope.name, key),
    quietMs: Math.min(quietMs, api.settings.tasks.pollMs),
    prepare: (change) => scope.prepare(api, change, isOwn),
    commit: async (changes) => {
      try {
        const result = await scope.commit({ api, changes, isOwn, log, signal });
        notes.end(scope.name);
        return result;
      } finally {
        notes.discard();
      }
    },
  });
  groups.set(scope.name, group);
  return group;
}

const reported = new WeakSet<CommitResult>();

/** The problems of a commit are reported by the first resource that hears of them. */
function unreported(result: CommitResult): CommitResult["problems"] {
  if (reported.has(result)) return [];
  reported.add(result);
  return result.problems;
}
