import type { Logger, Report } from "#framework";
import type { Session } from "../session.ts";
import { Announcements } from "./announcements.ts";
import { GroupCommit, type StagedChange } from "./group-commit.ts";
import type { PlannedChange } from "./saved-plan.ts";
import type { CommitResult, IsOwn, StagedScope } from "./scope.ts";

const quietMs = 250;

const announcementsOf = (api: Session): Announcements => api.store.keep("announcements", () => new Announcements(api));

const groupsOf = (api: Session): Map<string, GroupCommit<CommitResult>> =>
  api.store.keep("staged configurations", () => new Map());

/**
 * The plan will change something that is staged first, twice if it is replaced, or remove it. Its private data takes the result, for a
 * plan that is saved.
 */
export const announceChange = (
  api: Session,
  scope: Pick<StagedScope, "name">,
  key: string,
  how?: "twice" | "removed",
): PlannedChange => announcementsOf(api).add(scope.name, key, how);

/** What the plan of this run announced, if it announced this change; null if that is not known. */
export const announcedWith = (api: Session, scope: Pick<StagedScope, "name">, key: string): readonly string[] | null =>
  announcementsOf(api).of(scope.name, key);

/** Whether the change belongs to this run, as far as it has been applied. */
export const isStagedHere = (api: Session, scope: StagedScope, key: string): boolean =>
  groupsOf(api).get(scope.name)?.includes(key) ?? false;

const checksOf = (api: Session): Map<string, () => Promise<void>> =>
  api.store.keep("checks of staged configurations", () => new Map());

/**
 * Fails if other clients have staged changes in a scope that this run changes, too. Null: this run has not begun to change it,
 * nor has an interrupted one, so that whatever is staged there is foreign.
 */
export function checkStaged(api: Session, scope: string): Promise<void> | null {
  const check = checksOf(api).get(scope);
  return check?.() ?? (announcementsOf(api).isLeftIn(scope) ? Promise.resolve() : null);
}

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
    const keys = [change.key, ...(change.companions ?? [])];
    this.#note = () => {
      for (const key of keys) announcementsOf(context.api).begin(scope.name, key);
    };
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

/**
 * Puts into effect what this run has staged: what is done next needs it. Changes that the plan announced come first, as long
 * as anything is under way that they may wait for, so that one commit serves all.
 */
export async function commitStaged(api: Session, signal: AbortSignal): Promise<void> {
  const open = [...groupsOf(api).values()].filter(({ isOpen }) => isOpen);
  if (open.length === 0) return;
  await api.changes.until(() => open.every(({ isExpecting }) => !isExpecting), quietPeriod(api), signal);
  await Promise.all(open.map((group) => group.flush()));
}

/** The process is about to end, and what was announced does not come: what is staged is committed, and locks are released. */
export async function endStaged(api: Session): Promise<void> {
  api.store.keep("end of staged configurations", () => ({ isNear: false })).isNear = true;
  await Promise.allSettled([...groupsOf(api).values()].map((group) => group.end()));
}

const patienceMs = 5_000;

/** Shorter where tasks are polled more often, but not shorter than Terraform takes between two resources. */
const quietPeriod = ({ settings }: Session): number => Math.min(quietMs, Math.max(50, settings.tasks.pollMs));

function groupOf({ api, log, signal }: Context, scope: StagedScope, key: string): GroupCommit<CommitResult> {
  const groups = groupsOf(api);
  const known = groups.get(scope.name);
  if (known !== undefined) return known;
  const notes = announcementsOf(api);
  const isOwn: IsOwn = (other, within = []) =>
    group.includes(other) || notes.isLeft(scope.name, other) || within.some((one) => group.removes(one));
  const end = api.store.keep("end of staged configurations", () => ({ isNear: false }));
  const group: GroupCommit<CommitResult> = new GroupCommit({
    announced: notes.of(scope.name, key),
    quietMs: quietPeriod(api),
    patienceMs,
    prepare: (change) => scope.prepare(api, change, isOwn),
    release: async () => scope.release?.(api),
    isRemoved: (other) => notes.isRemoved(scope.name, other),
    commit: async (changes, forgotten) => {
      try {
        const result = await scope.commit({ api, changes, forgotten, isOwn, log, signal, isHurried: end.isNear });
        notes.end(scope.name);
        return result;
      } finally {
        notes.discard();
      }
    },
  });
  groups.set(scope.name, group);
  checksOf(api).set(scope.name, () => scope.check(api, { key: "", commitsForeign: false }, isOwn));
  return group;
}

const reported = new WeakSet<CommitResult>();

/** The problems of a commit are reported by the first resource that hears of them. */
function unreported(result: CommitResult): CommitResult["problems"] {
  if (reported.has(result)) return [];
  reported.add(result);
  return result.problems;
}
