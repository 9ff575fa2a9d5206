import type { Attributes, Awaitable, Report, State } from "#framework";
import { removedAndCreated } from "./already-exists.ts";
import { sentenceCase } from "./sentence-case.ts";
import type { Session } from "./session.ts";

/** How the objects of a type are known to its guards, where their identity does not say it. */
export interface Tracking<A extends Attributes> {
  /** What an object is called now, as far as that is known: an identity keeps the first name. */
  nameOf?(values: { readonly [K in keyof State<A>]?: State<A>[K] | undefined }): string | undefined;
  /** Its creation waits while the same run removes the object of the same name: there is nothing to refuse, nor to track. */
  readonly waitsForRemoval?: true;
}

type Values = { readonly [name: string]: unknown };

interface Planning {
  readonly api: Session | undefined;
  readonly report: Report;
}
type Plan = Planning & { readonly prior: object | null; readonly planned: object };
type PlanDelete = Planning & { readonly state: object; readonly isReplaced: boolean };
type Read = { readonly api: Session; readonly state: object | null; readonly purpose: string };
type Delete = { readonly api: Session; readonly state: object };

interface Definition {
  readonly type: string;
  readonly identity?: readonly string[] | { readonly attributes: readonly string[] };
  readonly waitsForRemoval?: true;
  label(known: Values): string;
  nameOf?(values: Values): string | undefined;
  plan?(context: Plan): Awaitable<void>;
  planDelete?(context: PlanDelete): Awaitable<void>;
  read(context: Read): Awaitable<object | null>;
  delete(context: Delete): Awaitable<void>;
}

/**
 * Hooks that do the same, and keep `api.managed` up to date. A plan that removes an object with one resource and creates it
 * with another one is refused, whichever of the two Terraform plans first.
 */
export function trackObjects(definition: Definition) {
  const { type, plan, label } = definition;
  if (definition.waitsForRemoval) return {};
  const named = <R>(values: object, work: (name: string) => R): R | undefined => {
    const name = nameIn(definition, values as Values);
    return name === undefined ? undefined : work(name);
  };
  const refuse = (report: Report, values: object) => {
    if (report.failed) return;
    const { summary, detail } = removedAndCreated(type, sentenceCase(label(values as Values)));
    report.error(null, summary, detail);
  };
  const inState = (api: Session, state: object) => void named(state, (name) => api.managed.add(type, name));
  return {
    inState,
    ...(plan && {
      async plan(context: Plan): Promise<void> {
        const { api, prior, report } = context;
        if (api && prior !== null) inState(api, prior);
        await plan.call(definition, context);
        // The hook fills in the identity of a new object.
        const { planned } = context;
        if (prior === null && named(planned, (name) => api?.managed.planCreation(type, name))) refuse(report, planned);
      },
    }),
    async planDelete(context: PlanDelete): Promise<void> {
      const { api, state, isReplaced, report } = context;
      await definition.planDelete?.(context);
      if (!isReplaced && named(state, (name) => api?.managed.planRemoval(type, name))) refuse(report, state);
    },
    async read(context: Read): Promise<object | null> {
      const { api, state, purpose } = context;
      const found = await definition.read(context);
      if (found !== null) inState(api, found);
      else if (state !== null) named(state, (name) => api.managed.remove(type, name));
      if (found !== null && purpose === "create") named(found, (name) => api.managed.fulfil(type, name));
      return found;
    },
    async delete(context: Delete): Promise<void> {
      await definition.delete(context);
      named(context.state, (name) => context.api.managed.remove(type, name));
    },
  };
}

/** Undefined while it is not known. */
function nameIn(definition: Definition, values: Values): string | undefined {
  if (definition.nameOf) return definition.nameOf(values);
  const { identity = [] } = definition;
  const names = "attributes" in identity ? identity.attributes : identity;
  const parts = names.map((name) => values[name] ?? undefined);
  return parts.length === 0 || parts.includes(undefined) ? undefined : parts.join("/");
}
