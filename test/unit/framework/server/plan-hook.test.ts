import { describe, expect, it } from "vitest";
import { bool, int, list, map, nested, nullable, type PlanContext, set, string } from "#framework";
import { unknown } from "../../../harness/value.ts";
import { Core, isError, pathText, plain } from "../core.ts";
import { Cloud, defineProvider, defineResource } from "../machine.ts";

const attributes = {
  name: { type: string(), mode: "required", doc: "" },
  label: { type: string(), mode: "optional", replace: { when: "if the hook says so" }, doc: "" },
  seen: { type: string(), mode: "computed", doc: "" },
  count_of: { type: nullable(int()), mode: "optional_computed", doc: "" },
  inner: {
    type: nested({
      given: { type: string(), mode: "optional", doc: "" },
      made: { type: string(), mode: "computed", doc: "" },
    }),
    mode: "optional",
    doc: "",
  },
  slots: {
    type: map(
      nested({
        size: {
          type: int(),
          mode: "required",
          replace: { when: "if it shrinks", decide: ({ prior, planned }) => Number(planned) < Number(prior) },
          doc: "",
        },
        path: { type: string(), mode: "computed", doc: "" },
      }),
    ),
    mode: "optional",
    doc: "",
  },
  members: {
    type: set(nested({ id: { type: int(), mode: "required", replace: true, doc: "" } })),
    mode: "optional",
    doc: "",
  },
  flags: { type: list(bool()), mode: "optional", doc: "" },
} as const;

type Hook = (context: PlanContext<typeof attributes, { step: number }, Cloud>) => void | Promise<void>;

/** The same resource with the hook that a test needs; its server has one object named "x". */
async function start(plan: Hook, configured: boolean | "later" = true, deferralAllowed = false) {
  const thing = defineResource({
    type: "cloud_thing",
    doc: "",
    privateState: { step: 0 },
    attributes,
    plan,
    planDelete: ({ state, report }) => {
      if (state.name === "protected") report.error("label", "Protected", "Take the protection off first.");
    },
    create: () => ({}),
    read: ({ state }) => ({
      name: state?.name ?? "",
      label: state?.label ?? null,
      seen: state?.seen ?? "read",
      count_of: state?.count_of ?? null,
      inner: state?.inner ? { given: state.inner.given, made: state.inner.made ?? "read" } : null,
      slots: state?.slots
        ? Object.fromEntries(
            Object.entries(state.slots).map(([key, slot]) => [key, { size: slot.size, path: slot.path ?? "read" }]),
          )
        : null,
      members: state?.members ?? null,
      flags: state?.flags ?? null,
    }),
    update: () => {},
    delete: () => {},
  });
  const provider = defineProvider({
    name: "cloud",
    doc: "",
    attributes: { url: { type: string(), mode: "optional", doc: "" } },
    resources: { cloud_thing: () => thing },
    configure: ({ config }) => (config.url === undefined ? undefined : new Cloud()),
  });
  return Core.start(provider, configured === "later" ? { url: unknown } : {}, { client: { deferralAllowed } });
}

const TYPE = "cloud_thing";
const nothing: Hook = () => {};

describe("a plan hook", () => {
  it("receives the configuration, the prior state and the changes", async () => {
    const seen: unknown[] = [];
    const core = await start(({ config, prior, planned, changes }) => {
      seen.push([config.name, config.label, prior?.name, planned.seen, [...changes].sort()]);
    });
    const held = await core.reach(TYPE, { name: "x" });
    await core.plan(TYPE, { name: unknown, label: "l" }, held);
    expect(seen.at(0)).toEqual(["x", null, undefined, undefined, ["count_of", "name", "seen"]]);
    expect(seen.at(-1)).toEqual([undefined, "l", "x", undefined, ["count_of", "label", "name", "seen"]]);
  });

  it("fills in computed values, at any depth", async () => {
    const core = await start(({ set: fill }) => {
      fill("seen", "planned");
      fill("count_of", null);
      fill("inner.made", "planned");
      fill(["slots", "a.b", "path"], "planned");
    });
    const config = { name: "x", inner: {}, slots: { "a.b": { size: 1 } } };
    const { state } = await core.reach(TYPE, config);
    expect(plain(state)).toMatchObject({
      seen: "planned",
      count_of: null,
      inner: { made: "planned" },
      slots: { "a.b": { path: "planned" } },
    });
  });

  it("reads its own changes back", async () => {
    let after: unknown;
    const core = await start((context) => {
      context.set("seen", "planned");
      after = context.planned.seen;
    });
    await core.plan(TYPE, { name: "x" });
    expect(after).toBe("planned");
  });

  it("makes computed values unknown, or keeps them", async () => {
    const core = await start(({ keep, setUnknown, prior }) => {
      keep("seen");
      if (prior) setUnknown("count_of");
    });
    const held = await core.apply(TYPE, await core.plan(TYPE, { name: "x" }));
    const { state } = await core.plan(TYPE, { name: "y" }, held);
    expect(plain(state)).toMatchObject({ seen: "read", count_of: "?" });
  });

  it("keeps the prior value if the configured one means the same", async () => {
    const core = await start(({ keep, config, prior }) => {
      if (config.name?.toLowerCase() === prior?.name) keep("name");
    });
    const held = await core.reach(TYPE, { name: "x" });
    expect(plain((await core.plan(TYPE, { name: "X" }, held)).state)).toMatchObject({ name: "x" });
  });

  it("requires replacement, with a reason", async () => {
    const core = await start(({ replace, changes, prior }) => {
      if (prior && changes.has("label")) replace("label", "labels are engraved");
    });
    const held = await core.reach(TYPE, { name: "x" });
    const plan = await core.plan(TYPE, { name: "x", label: "new" }, held);
    expect(plan.replace).toEqual(["label"]);
    expect(plan.diagnostics).toMatchObject([{ severity: "warning", detail: "labels are engraved" }]);
  });

  it("cannot require replacement for an attribute that does not declare it", async () => {
    const core = await start(({ replace, changes, prior }) => {
      if (prior && changes.has("name")) replace("name");
    });
    const held = await core.reach(TYPE, { name: "x" });
    const { diagnostics } = await core.plan(TYPE, { name: "y" }, held);
    expect(diagnostics).toMatchObject([{ severity: "error", detail: expect.stringContaining("declares `replace`") }]);
  });

  it("refuses the plan, and names the attribute", async () => {
    const core = await start(({ report }) => {
      report.error("slots.a.size", "Too small", "It must grow.");
      report.error("slots.a.size", "Too small", "It must grow.");
      report.warning(["members", 0, "id"], "Odd", "A set has no first element.");
      report.error(null, "All wrong", "Really.");
    });
    const { diagnostics } = await core.plan(TYPE, { name: "x", slots: { a: { size: 1 } } });
    expect(
      diagnostics.map(({ severity, summary, detail, path }) => [severity, summary, pathText(path), detail]),
    ).toEqual([
      // Terraform can show one step into an attribute; the text has the rest.
      ["error", "Too small", "slots.a", 'slots["a"].size: It must grow.'],
      ["warning", "Odd", "members", "A set has no first element."],
      ["error", "All wrong", "", "Really."],
    ]);
  });

  it("passes private state on to apply", async () => {
    const core = await start(({ privateState }) => {
      privateState.step += 1;
    });
    const plan = await core.plan(TYPE, { name: "x" });
    expect(JSON.parse(Buffer.from(plan.private).toString())).toEqual({ value: { step: 1 } });
  });

  it.each<[string, Hook, RegExp]>([
    ["changes a configured value", ({ set: fill }) => fill(["name"], "other"), /name breaks a rule/],
    [
      "fills in a value that is neither configured nor computed",
      ({ set: fill }) => fill(["label"], "made up"),
      /label breaks a rule/,
    ],
    ["fills in a value of another type", ({ set: fill }) => fill(["seen"], 3), /expected a string/],
    [
      "fills in a missing element",
      ({ set: fill }) => fill("slots.none.path", "x"),
      /expected a place that the plan has/,
    ],
    [
      "names a place that the schema does not have",
      ({ set: fill }) => fill("no.such", "x"),
      /expected a place that the schema has/,
    ],
    ["throws", () => Promise.reject(new Error("oops")), /oops/],
  ])("that %s is a bug", async (_, hook, message) => {
    const core = await start(hook);
    const plan = core.plan(TYPE, { name: "x" });
    const diagnostics = (await plan.catch(() => null))?.diagnostics ?? [];
    expect(diagnostics.filter(isError)).toMatchObject([
      { summary: "Bug in the provider", detail: expect.stringMatching(message) },
    ]);
  });

  it("sees whether an API is available", async () => {
    const seen: boolean[] = [];
    const hook: Hook = ({ api }) => {
      seen.push(api !== undefined);
    };
    await (await start(hook)).plan(TYPE, { name: "x" });
    await (await start(hook, "later")).plan(TYPE, { name: "x" });
    expect(seen).toEqual([true, false]);
  });
});

describe("putting off", () => {
  it.each([true, false])("is up to Terraform (allowed: %s)", async (deferralAllowed) => {
    const answers: boolean[] = [];
    const core = await start(
      ({ defer }) => {
        answers.push(defer("absent_prereq"));
      },
      true,
      deferralAllowed,
    );
    const { deferred, diagnostics } = await core.plan(TYPE, { name: "x" });
    expect(diagnostics).toEqual([]);
    expect(answers).toEqual([deferralAllowed]);
    expect(deferred).toBe(deferralAllowed ? "absent_prereq" : undefined);
  });
});

describe("a plan to delete", () => {
  it("can be refused before anything changes", async () => {
    const core = await start(nothing);
    const held = await core.reach(TYPE, { name: "protected", label: "l" });
    const { diagnostics, state } = await core.plan(TYPE, null, held);
    expect(diagnostics).toMatchObject([{ summary: "Protected", path: [{ attribute: "label" }] }]);
    expect(state).toBeNull();
  });

  it("receives the current state", async () => {
    const core = await start(nothing);
    const held = await core.reach(TYPE, { name: "x" });
    expect((await core.plan(TYPE, null, held)).diagnostics).toEqual([]);
  });

  it("is part of a replacement, which destroys as well", async () => {
    const core = await start(({ replace, prior, changes }) => {
      if (prior && changes.has("label")) replace("label", "labels are engraved");
    });
    const held = await core.reach(TYPE, { name: "protected", label: "l" });
    const { diagnostics } = await core.plan(TYPE, { name: "protected", label: "m" }, held);
    expect(diagnostics).toMatchObject([{ summary: "label forces replacement" }, { summary: "Protected" }]);
  });
});

describe("replacement by a function", () => {
  it.each([
    ["when the function returns true", { slots: { a: { size: 1 } } }, ["slots.a.size"]],
    ["not when it returns false", { slots: { a: { size: 3 } } }, []],
    ["not for a new element", { slots: { a: { size: 2 }, b: { size: 1 } } }, []],
    ["not for a removed element", { slots: {} }, []],
  ])("%s", async (_, change, replace) => {
    const core = await start(nothing);
    const held = await core.reach(TYPE, { name: "x", slots: { a: { size: 2 } } });
    expect((await core.plan(TYPE, { name: "x", ...change }, held)).replace).toEqual(replace);
  });

  it("applies to every attribute of a resource without updates, except local ones", async () => {
    const fixed = defineResource({
      type: "cloud_fixed",
      doc: "",
      attributes: {
        a: { type: string(), mode: "optional", doc: "" },
        made: { type: string(), mode: "computed", doc: "" },
        note: { type: string(), mode: "optional", local: true, doc: "" },
      },
      create: () => ({}),
      read: ({ state }) => ({ a: state?.a ?? null, made: "made" }),
      delete: () => {},
    });
    const core = await Core.start(
      defineProvider({
        name: "cloud",
        doc: "",
        attributes: {},
        resources: { cloud_fixed: () => fixed },
        configure: () => new Cloud(),
      }),
    );
    const held = await core.reach("cloud_fixed", { a: "x", note: "n" });
    expect((await core.plan("cloud_fixed", { a: "y", note: "n" }, held)).replace).toEqual(["a"]);
    expect((await core.plan("cloud_fixed", { note: "n" }, held)).replace).toEqual(["a"]);
    const noted = await core.reach("cloud_fixed", { a: "x", note: "m" }, held);
    expect(plain(noted.state)).toMatchObject({ note: "m", made: "made" });
  });
});
