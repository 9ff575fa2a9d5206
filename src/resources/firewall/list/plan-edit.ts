import { type Item, pairUp } from "./item.ts";
import { ListDraft, type Step } from "./list-draft.ts";
import { mayAgree, mayConflict } from "./overlap.ts";
import { isSameRule, type Rule } from "./rule.ts";

/**
 * The calls that turn one list of rules into another. At every moment a packet is treated as by the old list or as by the
 * new one: none that both allow is refused, and none that both refuse is let in.
 *
 * A rule decides correctly if all rules before it in the old list stand above it, or all rules before it in the new list
 * do. So rules that come or rise take their places from the top of the new list downwards; after that, rules that go or
 * sink leave their places from the end of the old list upwards. Rules of the same verdict, and rules that no packet
 * matches both, may stand in any order, which saves calls.
 *
 * With `keepsOld` no old rule goes before all new ones are there: a policy that changes between the two decides only
 * packets that neither list does.
 */
export function planEdit(old: readonly Rule[], desired: readonly Rule[], { keepsOld = false } = {}): Step[] {
  const { present, wanted } = pairUp(old, desired);
  const items = keepsOld ? wanted : replaceWherePossible(present, wanted);
  const draft = new ListDraft(present, items);
  insertNew(items, draft);
  enterFromTop(items, draft);
  draft.isLeaving = true;
  leaveFromEnd(present, draft);
  for (const item of items) if (item.goal && !isSameRule(item.rule, item.goal)) draft.change(item, item.goal);
  return draft.steps;
}

const isNew = ({ origin }: Item): boolean => origin < 0;

/** Whether it takes effect in the new list at a time of its own. */
const isEntering = ({ rule, goal, origin, isPlaced, isSinking }: Item): boolean =>
  goal?.isEnabled === true && (origin < 0 || !rule.isEnabled || (!isPlaced && !isSinking));

/** Whether it takes effect in the old list until a time of its own. */
const isLeaving = ({ rule, goal, isSinking }: Item): boolean => rule.isEnabled && (!goal?.isEnabled || isSinking);

/**
 * A rule that goes and one that comes to the same place become one change. It happens when the new rule's turn comes, so
 * what the old rule decided must not be decided otherwise by rules that are still there, or are not there yet.
 */
function replaceWherePossible(present: readonly Item[], wanted: readonly Item[]): readonly Item[] {
  const entering = wanted.filter(isEntering);
  const leaving = present.filter(isLeaving);
  const isHarmless = ({ rule, origin }: Item, place: number) =>
    !rule.isEnabled ||
    (entering.every((other) => other.place <= place || !mayAgree(rule, other.goal as Rule)) &&
      leaving.every((other) => other.origin <= origin || !mayConflict(rule, other.rule)));
  const going = Map.groupBy(
    present.filter(({ goal }) => goal === null),
    (item) => lastFixed(present, item.origin),
  );
  return wanted.map((item) => {
    if (!isNew(item)) return item;
    const candidates = going.get(lastFixed(wanted, item.place)) ?? [];
    const index = candidates.findIndex((other) => isHarmless(other, item.place));
    const [replaced] = index < 0 ? [] : candidates.splice(0, index + 1).slice(-1);
    return replaced
      ? Object.assign(replaced, { goal: item.goal, place: item.place, isReplaced: true, isPlaced: true })
      : item;
  });
}

/** The last item above that stays where it is: between the same two of them, old and new places are the same. */
const lastFixed = (items: readonly Item[], index: number): Item | undefined =>
  items.slice(0, index).findLast(({ isPlaced }) => isPlaced);

/** PVE inserts at the top. A new rule comes disabled, unless no rule before it decides otherwise. */
function insertNew(items: readonly Item[], draft: ListDraft): void {
  for (const item of items.toReversed()) {
    const { goal, place } = item;
    if (!isNew(item) || goal === null) continue;
    const isEager = items.slice(0, place).every((other) => !other.goal?.isEnabled || !mayConflict(other.goal, goal));
    draft.insert(item, { ...goal, isEnabled: goal.isEnabled && isEager });
    draft.moveToPlace(item);
  }
}

function enterFromTop(items: readonly Item[], draft: ListDraft): void {
  for (const item of items) {
    const { goal, rule, isReplaced, isPlaced } = item;
    if (goal === null || (isLeaving(item) && !isReplaced)) continue;
    if (!isPlaced) draft.moveToPlace(item);
    if (isReplaced || (goal.isEnabled && !rule.isEnabled)) draft.change(item, goal);
  }
}

function leaveFromEnd(present: readonly Item[], draft: ListDraft): void {
  for (const item of present.toReversed()) {
    const { goal, rule, isPlaced } = item;
    if (goal === null) draft.remove(item);
    else {
      if (rule.isEnabled && !goal.isEnabled) draft.change(item, goal);
      if (!isPlaced) draft.moveToPlace(item);
    }
  }
}
