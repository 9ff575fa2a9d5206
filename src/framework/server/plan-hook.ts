import type { LeavingKey, PlanContext } from "../define/resource-definition.ts";
import { changedNames } from "../plan/propose.ts";
import type { Replacement } from "../plan/replace.ts";
import type { PathLike } from "../report.ts";
import type { Attributes } from "../schema/attribute.ts";
import { fromView, SchemaMismatch } from "../schema/from-view.ts";
import { resolvePath } from "../schema/path.ts";
import { toObjectView } from "../schema/to-view.ts";
import type { Type } from "../schema/type.ts";
import type { DeferredReason } from "../server.ts";
import { getAt, setAt } from "../values/place.ts";
import { UNKNOWN } from "../values/unknown.ts";
import type { Value } from "../values/value.ts";
import type { Call } from "./call.ts";
import type { Managed } from "./managed.ts";
import type { PrivateState } from "./private-state.ts";

interface Drafted {
  readonly prior: Value;
  readonly config: Value;
  readonly planned: Value;
  readonly leaving: readonly LeavingKey[];
}

/** A plan that a hook may still change. */
export class Draft {
  readonly replacements: Replacement[] = [];
  deferred: DeferredReason | undefined;
  readonly #managed: Managed;
  readonly #prior: Value;
  readonly #config: Value;
  readonly #leaving: readonly LeavingKey[];
  readonly #deferralAllowed: boolean;
  #planned: Value;

  constructor(managed: Managed, change: Drafted, deferralAllowed: boolean) {
    this.#managed = managed;
    this.#prior = change.prior;
    this.#config = change.config;
    this.#planned = change.planned;
    this.#leaving = change.leaving;
    this.#deferralAllowed = deferralAllowed;
  }

  get planned(): Value {
    return this.#planned;
  }

  /** The hook's view of the plan; writes go through to it. */
  context(call: Call, privateState: PrivateState): PlanContext<Attributes, object, unknown> {
    const { attributes } = this.#managed;
    const draft = this;
    return {
      ...call.context,
      api: call.runtime.api,
      config: toObjectView(attributes, this.#config, "config"),
      prior: this.#prior === null ? null : toObjectView(attributes, this.#prior, "state"),
      leaving: this.#leaving,
      privateState: privateState.value,
      get planned() {
        return toObjectView(attributes, draft.#planned, "planned");
      },
      get changes() {
        return changedNames(attributes, draft.#prior, draft.#planned);
      },
      set: (path: PathLike, value: unknown) => this.#write(path, (type, at) => fromView(type, value, "observed", at)),
      setUnknown: (path) => this.#write(path, () => UNKNOWN),
      keep: (path) => this.#keep(path),
      replace: (path, reason) => {
        const resolved = this.#resolve(path);
        if (!resolved.replaceable) throw new SchemaMismatch("an attribute that declares `replace`", resolved.path);
        this.replacements.push({ path: resolved.path, ...(reason === undefined ? {} : { reason }) });
      },
      defer: (reason) => {
        if (this.#deferralAllowed) this.deferred = reason;
        return this.#deferralAllowed;
      },
    };
  }

  #keep(like: PathLike): void {
    const { path } = this.#resolve(like);
    const before = getAt(this.#prior, path);
    if (before !== undefined) this.#planned = setAt(this.#planned, path, before);
  }

  #write(like: PathLike, value: (type: Type, path: SchemaMismatch["path"]) => Value): void {
    const { path, type } = this.#resolve(like);
    if (getAt(this.#planned, path) === undefined) throw new SchemaMismatch("a place that the plan has", path);
    this.#planned = setAt(this.#planned, path, value(type, path));
  }

  #resolve(like: PathLike) {
    const resolved = resolvePath(this.#managed.root, like);
    if (!resolved.complete || resolved.path.length === 0)
      throw new SchemaMismatch("a place that the schema has", resolved.path);
    return resolved;
  }
}
