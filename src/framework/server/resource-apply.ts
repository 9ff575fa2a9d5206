import { setTimeout as sleep } from "node:timers/promises";
import { encodeValue } from "../codec/dynamic-value.ts";
import { Created } from "../define/created.ts";
import type { ChangeContext } from "../define/resource-definition.ts";
import type { Path } from "../diagnostics.ts";
import { Failure } from "../failure.ts";
import { withAddedKeys } from "../plan/added-keys.ts";
import { configOfPlan } from "../plan/config-of-plan.ts";
import { contradictions } from "../plan/contradictions.ts";
import { desiredValue } from "../plan/desired.ts";
import { changedNames } from "../plan/propose.ts";
import { dropRemoved, dropUndone, hasNewArguments, recordOriginals } from "../plan/record-originals.ts";
import { keepPlannedVolatile } from "../plan/volatile.ts";
import type { Attributes } from "../schema/attribute.ts";
import { fromObjectView } from "../schema/from-view.ts";
import { formatPath } from "../schema/path.ts";
import { toObjectView } from "../schema/to-view.ts";
import type { ApplyRequest, ApplyResponse, ProviderServer } from "../server.ts";
import { getAt, setAt } from "../values/place.ts";
import { equal, knownPart, type Value } from "../values/value.ts";
import type { Call } from "./call.ts";
import { Deadline } from "./deadline.ts";
import type { Id, Managed } from "./managed.ts";
import { observe } from "./observe.ts";
import { checkOrigin } from "./origin.ts";
import type { PrivateState } from "./private-state.ts";
import type { Registry } from "./registry.ts";

/** Carries out a plan. After any failure, the state still says what exists. */
export function resourceApplyCalls(resources: Registry<Managed>): Pick<ProviderServer, "applyResourceChange"> {
  return {
    applyResourceChange: (request) =>
      resources.answer<Omit<ApplyResponse, "diagnostics">>(
        { rpc: "ApplyResourceChange", operation: "update", type: request.typeName },
        { newState: request.priorState, private: request.plannedPrivate },
        async (call, managed) => {
          const application = new Application(call, managed, request);
          const state = await application.run();
          if (state !== null) await call.attempt(() => checkOrigin(call, application.privateState, true));
          return {
            newState: encodeValue(managed.root, state),
            private: application.privateState.encode(),
            ...(managed.hasIdentity && state !== null
              ? { newIdentity: encodeValue(managed.identityType, managed.identityIn(state)) }
              : {}),
          };
        },
      ),
  };
}

type Wanted = Omit<ChangeContext<Attributes, string, object, unknown>, "id">;
type Context = Omit<Wanted, "desired" | "config" | "deadline" | "obtained">;

/** One change in progress. */
class Application {
  readonly privateState: PrivateState;
  readonly #call: Call;
  readonly #managed: Managed;
  readonly #prior: Value;
  readonly #planned: Value;
  readonly #config: Value;
  readonly #obtained = new Map<string, Value>();

  constructor(call: Call, managed: Managed, request: ApplyRequest) {
    this.#call = call;
    this.#managed = managed;
    this.#prior = call.decode(managed.root, request.priorState);
    this.#planned = call.decode(managed.root, request.plannedState);
    this.privateState = managed.privateState(request.plannedPrivate);
    const config = call.decode(managed.root, request.config);
    const { restored } = managed.undo(this.#prior, config, this.privateState);
    const { attributes } = managed;
    this.#config = configOfPlan({ attributes, prior: this.#prior, config, planned: this.#planned, restored });
  }

  /** Carries it out and returns the resulting state. */
  async run(): Promise<Value> {
    const { refusal } = this.privateState;
    if (refusal) throw new Failure(refusal.summary, refusal.detail);
    if (this.#planned === null) return this.#prior === null ? null : this.#delete();
    return this.#prior === null ? this.#create() : this.#update();
  }

  async #create(): Promise<Value> {
    const call = this.#call;
    const { definition } = this.#managed;
    const deadline = this.#begin("create", this.#planned);
    let identity: Value = null;
    let state: Value = null;
    let isAdopted = false;
    const store = (id: Id) => {
      identity = this.#managed.identityFrom(id);
      call.begin({ id });
    };
    await call.attempt(async () => {
      const context = { ...this.#context(), ...this.#wanted(), deadline };
      this.privateState.originals = undefined;
      const result = await definition.create({ ...context, created: store });
      const { id, handover } = result instanceof Created ? result : { id: result, handover: undefined };
      isAdopted = result instanceof Created && result.isAdopted;
      store(id);
      if (call.report.failed) return;
      await this.#recordOriginals(null, id, context, handover);
      await definition.settle?.({ ...context, id, handover });
      if (!call.report.failed) state = await this.#readBack("create", identity);
    });
    if (isAdopted && call.report.failed) return null;
    // The object exists as soon as its identity is known, so from then on it must be in the state.
    return state ?? (identity === null ? null : this.#managed.stateOf(identity, knownPart(this.#with(this.#planned))));
  }

  async #update(): Promise<Value> {
    const call = this.#call;
    const { definition, attributes } = this.#managed;
    const identity = this.#managed.identityIn(this.#prior);
    const id = this.#managed.identityView(identity);
    const deadline = this.#begin("update", this.#planned, id);
    let state: Value = null;
    await call.attempt(async () => {
      const context = { ...this.#context(), ...this.#wanted(), deadline };
      const { keys: leaving } = this.#managed.undo(this.#prior, this.#config, this.privateState);
      await this.#recordOriginals(this.#prior, id, context);
      await definition.update?.({
        ...context,
        id,
        leaving,
        prior: toObjectView(attributes, this.#prior, "state"),
        changes: changedNames(attributes, this.#prior, this.#planned),
      });
      if (!call.report.failed) state = await this.#readBack("update", identity);
    });
    const left = state ?? (await this.#salvage(identity));
    this.#dropOriginals(state !== null, left);
    return left;
  }

  /** Records the values that the new arguments replace, before they take effect. */
  async #recordOriginals(prior: Value, id: Id, context: Wanted, handover?: unknown): Promise<void> {
    const { definition, attributes, canUndo } = this.#managed;
    const { originals } = this.privateState;
    if (!canUndo || (originals !== undefined && !hasNewArguments(attributes, this.#config, originals))) return;
    const shown = prior === null ? null : toObjectView(attributes, prior, "state");
    const reported = await definition.before?.({ ...context, id, prior: shown, handover });
    const before = reported === undefined ? prior : fromObjectView(attributes, reported, "known");
    this.privateState.originals = recordOriginals(originals, {
      attributes,
      config: this.#config,
      before,
      isNew: prior === null,
    });
  }

  /** The original value of a removed argument stays recorded until the argument is undone, whatever fails. */
  #dropOriginals(isDone: boolean, state: Value): void {
    const { originals } = this.privateState;
    const { attributes, root } = this.#managed;
    if (originals === undefined) return;
    this.privateState.originals = isDone
      ? dropRemoved(originals, attributes, this.#config)
      : dropUndone(originals, root, this.#config, state);
  }

  async #delete(): Promise<Value> {
    const { definition, attributes } = this.#managed;
    const id = this.#managed.identityView(this.#managed.identityIn(this.#prior));
    const deadline = this.#begin("delete", this.#prior, id);
    const state = toObjectView(attributes, this.#prior, "state");
    const { restored } = this.#managed.undo(this.#prior, null, this.privateState);
    const undone = toObjectView(attributes, restored, "state");
    await this.#call.attempt(async () => definition.delete({ ...this.#context(), id, state, undone, deadline }));
    return this.#call.report.failed ? this.#prior : null;
  }

  #begin(operation: "create" | "update" | "delete", timed: Value, id?: Id): Date | null {
    const deadline = Deadline.of(this.#managed.attributes, timed, operation, this.#call.runtime.signal);
    this.#call.begin({ operation, ...(id ? { id } : {}) }, deadline);
    return deadline.date;
  }

  #context(): Context {
    return { ...this.#call.context, api: this.#call.runtime.requireApi(), privateState: this.privateState.value };
  }

  #wanted(): Pick<Wanted, "desired" | "config" | "obtained"> {
    const { attributes } = this.#managed;
    const obtained = (values: object) => {
      const known = fromObjectView(attributes, values, "known") as ReadonlyMap<string, Value>;
      for (const name of Object.keys(values)) this.#obtained.set(name, known.get(name) ?? null);
    };
    const desired = desiredValue({ attributes, prior: this.#prior, config: this.#config }, this.#planned);
    return {
      desired: toObjectView(attributes, desired, "desired"),
      config: toObjectView(attributes, this.#config, "config"),
      obtained,
    };
  }

  /** A state with the values that only a response contained. */
  #with(state: Value): Value {
    return [...this.#obtained].reduce((so, [attribute, value]) => setAt(so, [{ attribute }], value), state);
  }

  /** The object after the change, compared with the plan: Terraform would only say "inconsistent result". */
  async #readBack(purpose: "create" | "update", identity: Value): Promise<Value> {
    const call = this.#call;
    const { attributes } = this.#managed;
    const found = await this.#find(purpose, identity);
    const { state, names } = keepPlannedVolatile(attributes, this.#planned, found);
    if (names.length > 0) call.log.warn("values differ from the plan; the next refresh reads them", { names });
    if (state === null) {
      call.report.error(null, "Object not found", `The ${this.#managed.type} cannot be found after its ${purpose}.`);
    }
    const differences = state === null ? [] : contradictions(this.#managed.root, this.#planned, state);
    const others = differences.filter(({ path }) => !this.#isChanged(path));
    for (const { path, problem } of differences.filter((one) => !others.includes(one))) {
      call.report.bug(`After the ${purpose}, ${formatPath(path)} ${problem}.`, path);
    }
    if (others.length > 0) this.#reportOthers(others.map(({ path }) => path));
    return state;
  }

  /** The object that was just written. One that a list does not show yet is looked for again, for a limited time. */
  async #find(purpose: "create" | "update", identity: Value): Promise<Value> {
    const call = this.#call;
    const expected = this.#with(this.#planned);
    const look = () => observe(call, this.#managed, purpose, identity, expected, this.privateState);
    let found = await look();
    for (const pause of call.runtime.lookAgainMs) {
      if (found !== null) break;
      call.log.info("the object is not there yet; looking again", { pause_ms: pause });
      await sleep(pause, undefined, { signal: call.signal });
      found = await look();
    }
    return found;
  }

  /** Whether the plan gave the attribute another value. All values of a new object are given by the plan. */
  #isChanged(path: Path): boolean {
    const [before, after] = [getAt(this.#prior, path), getAt(this.#planned, path)];
    return before === undefined || after === undefined || !equal(before, after);
  }

  /** What this apply did not change was changed by another client, after the plan had read it. */
  #reportOthers(paths: readonly Path[]): void {
    const names = paths.map((path) => `\`${formatPath(path)}\``).join(", ");
    this.#call.report.error(
      null,
      "Changed by others after the plan",
      `${names}: the plan kept what was there, and something else is there now. Another client has changed it since the plan read the object. The changes of this apply are done. Plan again to see the difference.`,
    );
  }

  /** What a failed update has left behind, if it can be read; else the prior state. */
  async #salvage(identity: Value): Promise<Value> {
    const call = this.#call;
    const { signal } = call.runtime;
    const prior = this.#with(this.#prior);
    if (signal.aborted) return prior;
    try {
      const expected = withAddedKeys(this.#managed.attributes, prior, this.#planned);
      const found = await observe(call, this.#managed, "refresh", identity, expected, this.privateState, signal);
      return found ?? prior;
    } catch (error) {
      call.log.debug("the object could not be read after a failed update", { error });
      return prior;
    }
  }
}
