import { toJson } from "./cty-json.ts";
import { expectRule, expectSame, placesOf } from "./expectations.ts";
import { compatibleProblems } from "./object-compatible.ts";
import { isWhollyKnown, planProblems } from "./plan-valid.ts";
import { RuleViolation } from "./problem.ts";
import {
  type Instance,
  noPrivate,
  type PlannedChange,
  type ResourceCalls,
  type ResourceSchema,
} from "./resource-calls.ts";
import { equals, type Input, toValue, type Value } from "./value.ts";
import type { Walk } from "./walk.ts";
import type { WireDiagnostic } from "./wire.ts";

const destruction = "destroy plans nothing and leaves nothing";

export interface Plan extends PlannedChange {
  action: "create" | "update" | "replace" | "no-op";
  prior: Instance | null;
  config: Value;
}

/**
 * One resource type, driven as Terraform drives it and checked by Terraform's rules: each broken one is a
 * {@link RuleViolation}. A command of Terraform takes a second, this takes milliseconds.
 */
export class ManagedResource {
  readonly #calls: ResourceCalls;
  readonly #walk: Walk;

  constructor(calls: ResourceCalls, walk: Walk) {
    this.#calls = calls;
    this.#walk = walk;
  }

  get schema(): ResourceSchema {
    return this.#calls.schema;
  }

  /**
   * A whole `terraform apply`, and the `terraform plan` after it that must find nothing to do. `atPlan` is the
   * configuration while other resources do not exist yet, with unknown values.
   */
  async create(config: Input, atPlan: Input = config): Promise<Instance> {
    return this.#converge(null, config, atPlan);
  }

  async update(instance: Instance, config: Input, atPlan: Input = config): Promise<Instance> {
    return this.#converge(await this.refresh(instance), config, atPlan);
  }

  /** An update right after another one, which has read the object at its end: without reading it again. */
  async change(instance: Instance, config: Input): Promise<Instance> {
    return this.#converge(instance, config, config);
  }

  async #converge(prior: Instance | null, config: Input, atPlan: Input): Promise<Instance> {
    const applied = await this.apply(await this.plan(prior, atPlan), config);
    await this.expectSettled(applied, config);
    return applied;
  }

  /** The warnings, if the configuration is valid. */
  async validate(config: Input): Promise<WireDiagnostic[]> {
    return this.#calls.validate(toValue(this.schema.type, config));
  }

  plan(prior: Instance | null, input: Input): Promise<Plan> {
    return this.#walk.plan(() => this.#planChange(prior, input));
  }

  /** What `-replace` and `replace_triggered_by` plan: a replacement without a change. */
  planReplacement(prior: Instance, input: Input): Promise<Plan> {
    return this.#walk.plan(async () => {
      const config = toValue(this.schema.type, input);
      const first = await this.#plan(prior, prior.private, config);
      const second = await this.#plan(null, first.private, config);
      return { ...second, warnings: first.warnings, replacePaths: [], action: "replace", prior, config };
    });
  }

  async #planChange(prior: Instance | null, input: Input): Promise<Plan> {
    const config = toValue(this.schema.type, input);
    await this.#calls.validate(config);
    const first = await this.#plan(prior, prior?.private ?? noPrivate, config);
    if (!prior) return { ...first, replacePaths: [], action: "create", prior, config };
    const replacePaths = this.#effectivePaths(first.replacePaths, prior.state, first.planned);
    if (isWhollyKnown(first.planned) && equals(this.schema.type, prior.state, first.planned)) {
      return { ...first, replacePaths, action: "no-op", prior, config };
    }
    if (replacePaths.length === 0) return { ...first, replacePaths, action: "update", prior, config };
    // The new object starts from nothing, so Terraform plans again as for a creation.
    const second = await this.#plan(null, first.private, config);
    // Terraform shows the warnings of the first plan only, and the errors of both.
    return { ...second, warnings: first.warnings, replacePaths, action: "replace", prior, config };
  }

  async #plan(prior: Instance | null, priorPrivate: Uint8Array, config: Value): Promise<PlannedChange> {
    const change = await this.#calls.plan(prior, priorPrivate, config);
    const problems = planProblems(this.schema.body, prior?.state ?? null, config, change.planned);
    expectRule("plan agrees with the configuration", this.#calls.typeName, problems);
    return change;
  }

  /** Terraform ignores an attribute that does not change as a reason for replacement, and rejects one that does not exist. */
  #effectivePaths(paths: string[], prior: Value, planned: Value): string[] {
    const before = placesOf(prior);
    const after = placesOf(planned);
    const strange = paths.filter((path) => !before.has(path) && !after.has(path));
    const problems = strange.map((path) => ({ path, text: "does not exist" }));
    expectRule("replacement names an attribute that exists", this.#calls.typeName, problems);
    return paths.filter((path) => before.get(path) !== after.get(path) || after.get(path)?.includes("(unknown)"));
  }

  /** `config` is the final configuration: values that were unknown while planning are known by now. */
  async apply(plan: Plan, config: Input = plan.config): Promise<Instance> {
    if (plan.action === "no-op" && plan.prior) return plan.prior;
    return this.#walk.apply(() => this.#applyChange(plan, config));
  }

  async #applyChange(plan: Plan, config: Input): Promise<Instance> {
    // Terraform has planned that removal together with the new object, and does not announce it.
    if (plan.action === "replace" && plan.prior) await this.destroy(plan.prior, { ...plan, planned: null });
    const prior = plan.action === "replace" ? null : plan.prior;
    const final = toValue(this.schema.type, config);
    const change = await this.#finalPlan(plan, prior, final);
    const result = await this.#calls.apply(prior, change, final);
    const problems = compatibleProblems(this.schema.body, change.planned, result?.state ?? null);
    expectRule("result agrees with the plan", this.#calls.typeName, problems);
    return result as Instance;
  }

  /** Before an apply, Terraform plans again with the values known by then; nothing that it showed may change. */
  async #finalPlan(plan: Plan, prior: Instance | null, config: Value): Promise<PlannedChange> {
    await this.#calls.validate(config);
    const change = await this.#plan(prior, prior?.private ?? noPrivate, config);
    const problems = compatibleProblems(this.schema.body, plan.planned, change.planned);
    expectRule("final plan agrees with the first plan", this.#calls.typeName, problems);
    return change;
  }

  async planDestroy(instance: Instance): Promise<PlannedChange> {
    const plan = await this.#calls.plan(instance, instance.private, null);
    if (plan.planned !== null) {
      throw new RuleViolation(destruction, this.#calls.typeName, [{ path: "", text: "is still planned" }]);
    }
    return plan;
  }

  /** With the plan that Terraform has made before: it does not plan a destruction again. */
  async destroy(instance: Instance, plan?: PlannedChange): Promise<WireDiagnostic[]> {
    const remains = await this.#walk.apply(async () =>
      this.#calls.apply(instance, plan ?? (await this.planDestroy(instance)), null),
    );
    if (remains) throw new RuleViolation(destruction, this.#calls.typeName, [{ path: "", text: "still exists" }]);
    return this.#calls.applyWarnings;
  }

  /** What a run with `-refresh=false` starts with: the stored state, upgraded. */
  async load(instance: Instance): Promise<void> {
    const stored = await this.#calls.upgrade(this.schema.version, toJson(instance.state));
    expectSame("upgrade keeps a current state", this.#calls.typeName, this.schema.type, instance.state, stored);
  }

  /** What any other run starts with: the same, and read again. Null if the object no longer exists. */
  async find(instance: Instance): Promise<Instance | null> {
    await this.load(instance);
    return this.#calls.read(instance);
  }

  async refresh(instance: Instance): Promise<Instance> {
    const found = await this.find(instance);
    if (!found) throw new Error(`${this.#calls.typeName} no longer exists`);
    return found;
  }

  /** An object whose state an older version of the provider wrote. */
  async upgrade(version: number, json: string): Promise<Instance> {
    const state = await this.#calls.upgrade(version, json);
    return this.refresh({ state, private: noPrivate, identity: null });
  }

  async import(by: { id: string } | { identity: Input }): Promise<Instance> {
    const { identity } = this.schema;
    if ("id" in by) return this.refresh(await this.#calls.import(by));
    if (!identity) throw new Error(`${this.#calls.typeName} has no identity`);
    return this.refresh(await this.#calls.import({ identity: toValue(identity, by.identity) }));
  }

  /** What a `moved` block makes of another type's state, before Terraform reads the object. */
  move(provider: string, type: string, state: object): Promise<Instance> {
    return this.#calls.move(provider, type, state);
  }

  /** A refresh changes nothing, and a plan of the same configuration is empty. */
  async expectSettled(instance: Instance, config: Input): Promise<void> {
    const read = await this.refresh(instance);
    expectSame("read agrees with the result", this.#calls.typeName, this.schema.type, instance.state, read.state);
    const plan = await this.plan(read, config);
    if (plan.action === "no-op") return;
    expectSame("second plan is empty", this.#calls.typeName, this.schema.type, read.state, plan.planned);
    throw new RuleViolation("second plan is empty", this.#calls.typeName, [{ path: "", text: plan.action }]);
  }
}
