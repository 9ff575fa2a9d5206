import type { Logger, PlanContext, PlanDeleteContext, Report } from "#framework";
import type { Session } from "../session.ts";
import { announceChange, isStagedHere, Staging } from "../staged/staging.ts";
import type { Members } from "../wire/wired.ts";
import type { Crud } from "./define-crud.ts";
import type { Wired } from "./definition.ts";

type Plan = PlanContext<Wired, object, Session>;
type Removal = PlanDeleteContext<Wired, string, object, Session>;

/** One name for an object of any type. */
export const keyOf = ({ definition, model }: Crud, id: Members): string => `${definition.type} ${model.idText(id)}`;

/** The change is in effect after the run, unless the configuration says otherwise. What an interrupted run left is committed. */
export function planApplied({ definition }: Crud, { config, prior, changes, set, setUnknown }: Plan): void {
  if (definition.staged === undefined) return;
  const isChanged = prior === null || [...changes].some((name) => !definition.attributes[name]?.local);
  if (!isChanged && (prior["applied"] !== false || config["apply"] === false)) return;
  if (config["apply"] === undefined) setUnknown(["applied"]);
  else set(["applied"], config["apply"] !== false);
}

/** What the private data of a staged object has, in the plan of a change. */
interface Noted {
  staged?: ReturnType<typeof announceChange>;
}

/** Leaves a note for the apply of this run, and says what other clients have staged. */
export async function planCommit(
  crud: Crud,
  { config, prior, planned, changes, report, privateState }: Plan,
  api: Session,
  isReplaced: boolean,
): Promise<void> {
  const noted = privateState as Noted;
  delete noted.staged;
  const scope = crud.definition.staged?.(crud.model.idOf(config as Members));
  if (scope === undefined || config["apply"] === false || (prior !== null && changes.size === 0)) return;
  const isCertain = prior === null || isWhole(planned);
  const id = crud.model.idOf(config as Members);
  const key = crud.model.isWhole(id) ? keyOf(crud, id) : null;
  if (key !== null && isCertain && !report.failed)
    noted.staged = announceChange(api, scope, key, isReplaced ? "twice" : undefined);
  if (config["commit_foreign"] === true) return;
  await scope.warn(api, report, (other) => other === key || isManaged(api, other) || isStagedHere(api, scope, other));
}

/** The same before an object is removed. */
export function planRemovalCommit(crud: Crud, { id, state, privateState }: Removal, api: Session): void {
  const scope = crud.definition.staged?.(id as Members);
  if (scope === undefined || (state as Members)["apply"] === false) return;
  (privateState as Noted).staged = announceChange(api, scope, keyOf(crud, id as Members), "removed");
}

function isManaged(api: Session, key: string): boolean {
  const [type = "", ...id] = key.split(" ");
  return api.managed.has(type, id.join(" "));
}

/** Whether nothing in it is left to be known after apply. */
const isWhole = (value: unknown): boolean =>
  value !== undefined && (typeof value !== "object" || value === null || Object.values(value).every(isWhole));

interface Change {
  readonly api: Session;
  readonly log: Logger;
  readonly signal: AbortSignal;
  readonly report: Report;
  readonly id: Members;
  /** What the configuration, or the state of an object that is removed, says. */
  readonly settings: Members;
}

const stagings = new WeakMap<object, Staging>();

/** Writes a change. Where changes are staged, `settleChange` with the same settings puts it into effect. */
export function writeChange<T>(
  crud: Crud,
  change: Change & { readonly isRemoval?: true },
  write: () => Promise<T>,
): Promise<T> {
  const { api, id, settings, signal, isRemoval = false } = change;
  const scope = crud.definition.staged?.(id);
  if (scope === undefined) return write();
  if (settings["apply"] === false) return scope.inTurn?.(api, write, signal) ?? write();
  const commitsForeign = settings["commit_foreign"] === true;
  const companions = scope.companions?.(settings) ?? [];
  const within = scope.within?.(crud.definition.type, settings) ?? null;
  const staging = new Staging(change, scope, { key: keyOf(crud, id), commitsForeign, isRemoval, companions, within });
  stagings.set(settings, staging);
  return staging.stage(write);
}

export async function settleChange({ settings, report }: Pick<Change, "settings" | "report">): Promise<void> {
  await stagings.get(settings)?.settle(report);
}

/** The object as the state has it, if an interrupted run has staged its removal: the next one commits that, or takes it back. */
export async function leftToRemove(crud: Crud, api: Session, id: Members, state: Members | null) {
  const scope = crud.definition.staged?.(id);
  if (scope === undefined || state === null || state["apply"] === false) return null;
  if (!(await scope.isRemovalStaged(api, keyOf(crud, id)))) return null;
  const { attributes } = crud.definition;
  const read = Object.entries(state).filter(([name]) => !attributes[name]?.local && !attributes[name]?.writeOnly);
  return { ...Object.fromEntries(read), applied: false };
}

/** The state of an object, if it certainly exists: an interrupted run may have staged its removal, and that of all it refers to. */
export const thatExists = (state: Members | null): Members | null => (state?.["applied"] === false ? null : state);

/** What is not known yet is as it was found. */
function filledIn(wanted: unknown, seen: unknown): unknown {
  if (wanted === undefined) return seen;
  if (typeof wanted !== "object" || wanted === null || Array.isArray(wanted)) return wanted;
  const there = (seen ?? {}) as Members;
  return Object.fromEntries(Object.entries(wanted).map(([name, value]) => [name, filledIn(value, there[name])]));
}

/** Whether an object that exists is what an interrupted run of the same configuration has staged: no node has it yet. */
export async function isLeftover({ definition, model }: Crud, api: Session, found: object, planned: Members) {
  const id = model.idOf(planned);
  const scope = definition.staged?.(id);
  if (scope === undefined) return false;
  const wanted = filledIn(planned, model.parse(found, id, null)) as Members;
  const { set, delete: unset } = model.remaining(found, wanted, { isProof: true });
  if (Object.keys(set).length + unset.length > 0) return false;
  return scope.isUncommitted(api, `${definition.type} ${model.idText(id)}`);
}
