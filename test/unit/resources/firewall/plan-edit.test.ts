import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Step } from "../../../../src/resources/firewall/list/list-draft.ts";
import { planEdit } from "../../../../src/resources/firewall/list/plan-edit.ts";
import { isSameRule, type Rule } from "../../../../src/resources/firewall/list/rule.ts";
import { gaps, port, rule, sources } from "./packets.ts";

const kinds = (steps: readonly Step[]) => steps.map(({ kind }) => kind);
const namesOf = (rules: readonly Rule[]) => rules.map(({ dport, action }) => `${action} ${dport}`);

/** What PVE does with a call. */
function apply(list: readonly Rule[], step: Step): Rule[] {
  switch (step.kind) {
    case "insert":
      return [step.rule, ...list];
    case "move": {
      const rest = list.toSpliced(step.from, 1);
      return rest.toSpliced(step.to, 0, list[step.from] as Rule);
    }
    case "change":
      return list.with(step.at, step.rule);
    case "remove":
      return list.toSpliced(step.at, 1);
  }
}

const arbitraryRule: fc.Arbitrary<Rule> = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom("web", "shut").map((action) => rule({ type: "group", action })) },
  {
    weight: 8,
    arbitrary: fc
      .record({
        type: fc.constantFrom("in", "in", "in", "out"),
        action: fc.constantFrom("ACCEPT", "DROP", "REJECT"),
        ports: fc.constantFrom(undefined, "1", "2", "3", "1:2", "2:4", "1,4"),
        proto: fc.constantFrom("tcp", "udp"),
        hasProto: fc.boolean(),
        source: fc.constantFrom(undefined, undefined, ...Object.keys(sources)),
        isEnabled: fc.constantFrom(true, true, true, false),
        comment: fc.constantFrom(undefined, undefined, "why"),
      })
      .map(({ type, action, ports, proto, hasProto, source, isEnabled, comment }) => ({
        type,
        action,
        isEnabled,
        ...(ports !== undefined && { dport: ports }),
        ...((ports !== undefined || hasProto) && { proto }),
        ...(source !== undefined && { source }),
        ...(comment !== undefined && { comment }),
      })),
  },
);

const arbitraryList = fc.array(arbitraryRule, { maxLength: 9 });

/** A list and what a person makes of it: parts taken out, put elsewhere, changed and added. */
const arbitraryEdit = fc
  .tuple(arbitraryList, arbitraryList, fc.array(fc.nat({ max: 99 }), { maxLength: 6 }), fc.boolean())
  .map(([old, others, picks, isUnrelated]) => {
    if (isUnrelated) return { old, desired: others };
    const desired = [...old];
    for (const [index, pick] of picks.entries()) {
      const at = desired.length === 0 ? 0 : pick % desired.length;
      const other = others[index];
      if (pick % 3 === 0) desired.splice((pick * 7) % (desired.length + 1), 0, ...desired.splice(at, 1));
      else if (pick % 3 === 1 && other) desired.splice(at, pick % 2, other);
      else desired.splice(at, 1);
    }
    return { old, desired };
  });

describe("an edit of a list", () => {
  test("never opens a gap and never shuts one out, and ends with the new list", () => {
    fc.assert(
      fc.property(arbitraryEdit, ({ old, desired }) => {
        let now = old;
        for (const step of planEdit(old, desired)) {
          now = apply(now, step);
          expect(now).toEqual(step.after);
          expect(gaps(old, desired, now)).toEqual([]);
        }
        expect(now.length).toBe(desired.length);
        expect(now.every((one, index) => isSameRule(one, desired[index] as Rule))).toBe(true);
      }),
      { numRuns: 1500 },
    );
  });

  test("can be begun anew after any step, as after a lost answer", () => {
    fc.assert(
      fc.property(arbitraryEdit, fc.nat(), ({ old, desired }, pick) => {
        const steps = planEdit(old, desired);
        const middle = steps[pick % Math.max(1, steps.length)]?.after ?? old;
        const rest = planEdit(middle, desired);
        expect(rest.length).toBeLessThanOrEqual(old.length + 3 * desired.length);
        for (const { after } of rest) expect(gaps(old, desired, after)).toEqual([]);
        expect((rest.at(-1)?.after ?? middle).every((one, index) => isSameRule(one, desired[index] as Rule))).toBe(
          true,
        );
      }),
      { numRuns: 300 },
    );
  });

  test("takes one call for each rule that is moved, changed or removed", () => {
    const old = [1, 2, 3, 4, 5, 6].map((at) => port(at));
    expect(kinds(planEdit(old, old))).toEqual([]);
    expect(kinds(planEdit(old, [...old.slice(1), ...old.slice(0, 1)]))).toEqual(["move"]);
    expect(kinds(planEdit(old, old.toSpliced(3, 1)))).toEqual(["remove"]);
    expect(kinds(planEdit(old, old.with(2, port(9))))).toEqual(["change"]);
    expect(kinds(planEdit(old, old.with(2, port(9)).with(4, port(10, "DROP"))))).toEqual(["change", "change"]);
    expect(kinds(planEdit(old, old.with(2, { ...port(3), comment: "why" })))).toEqual(["change"]);
  });

  test("takes one call for a new rule at the top, two in the middle, and three where an earlier rule decides otherwise", () => {
    const old = [port(1), port(2), port(3)];
    expect(kinds(planEdit(old, [port(4), ...old]))).toEqual(["insert"]);
    expect(kinds(planEdit(old, old.toSpliced(2, 0, port(4))))).toEqual(["insert", "move"]);
    const guarded = [rule({ action: "DROP", source: "10.0.0.2" }), ...old];
    const steps = planEdit(guarded, [...guarded, port(4)]);
    expect(kinds(steps)).toEqual(["insert", "move", "change"]);
    expect(steps[1]?.after.at(-1)).toEqual({ ...port(4), isEnabled: false });
  });

  test("builds a new list with one call for each rule, and enables later what earlier rules restrict", () => {
    const desired = [port(1), rule({ action: "DROP" }), port(2)];
    const steps = planEdit([], desired);
    expect(kinds(steps)).toEqual(["insert", "insert", "insert", "change", "change"]);
    expect(steps.map(({ after }) => after.filter(({ isEnabled }) => isEnabled)).map(namesOf)).toEqual([
      [],
      [],
      ["ACCEPT 1"],
      ["ACCEPT 1", "DROP undefined"],
      ["ACCEPT 1", "DROP undefined", "ACCEPT 2"],
    ]);
  });

  test("of 300 rules with one inserted in the middle and three moved takes 6 calls", () => {
    const old = Array.from({ length: 300 }, (_, index) => port(index + 1, index % 3 === 0 ? "DROP" : "ACCEPT"));
    const moved = old.toSpliced(10, 1).toSpliced(200, 1).toSpliced(250, 1);
    const [one, two, three] = old.filter((each) => !moved.includes(each)) as [Rule, Rule, Rule];
    const desired = [two, ...moved.slice(0, 150), rule({ action: "DROP" }), one, ...moved.slice(150), three];
    const steps = planEdit(old, desired);
    expect(steps.length).toBe(6);
    expect(steps.at(-1)?.after).toEqual(desired);
  });
});
