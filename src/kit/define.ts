import {
  type ActionDefinition,
  type Attributes,
  type Awaitable,
  type DataSourceDefinition,
  definitions,
  type EphemeralDefinition,
  type Logger,
  type Report,
  type ResourceDefinition,
} from "#framework";
import { operation } from "./operation.ts";
import { isGone, refreshing } from "./outage.ts";
import { PlanRefusals } from "./plan-refusals.ts";
import { isOfObject } from "./pve-error.ts";
import { isKnownToHost } from "./releases.ts";
import type { Session } from "./session.ts";
import type { Subcategory } from "./subcategory.ts";
import { attributesInUse, SubjectError } from "./subject.ts";
import { reportingTaskWarnings } from "./task-warnings.ts";
import { servesDestruction } from "./terraform-command.ts";
import { type Tracking, trackObjects } from "./track-objects.ts";
import { workingOn } from "./work.ts";

const bound = definitions<Session>();

export const { defineProvider, defineListResource, defineFunction } = bound;

/** A definition with its place in the documentation. */
type Grouped<D> = D & { readonly subcategory: Subcategory };

/** As the framework's. */
export const defineEphemeral = <const A extends Attributes, P extends object = None>(
  definition: Grouped<EphemeralDefinition<A, P, Session>>,
): EphemeralDefinition<A, P, Session> => bound.defineEphemeral(definition);

/** As the framework's, but what is logged on the way says for whom. */
export const defineDataSource = <const A extends Attributes>(
  definition: Grouped<DataSourceDefinition<A, Session>>,
): DataSourceDefinition<A, Session> =>
  bound.defineDataSource({
    ...definition,
    read: (context) =>
      workingOn({ resource: definition.type, label: `data ${definition.type}` }, () => definition.read(context)),
  });

type None = Record<never, never>;

/** What a hook knows of the object it is about. */
interface Known {
  readonly api?: Session;
  readonly log: Logger;
  readonly report: Report;
  readonly id?: unknown;
  readonly desired?: unknown;
  readonly state?: unknown;
}

/** What a hook that looks ahead is given. */
interface Planning {
  readonly api: Session | undefined;
  readonly report: Report;
  readonly config?: unknown;
  readonly prior?: unknown;
  readonly state?: unknown;
}

/**
 * Without `plan_checks` a hook has no cluster to look at, as if it were not known yet; nor has the plan that Terraform makes
 * and throws away before it destroys, which no refusal may stop. Getters stay what they are.
 */
function lookingAhead<C extends Planning>(context: C, report: Report): C {
  const isThrownAway = "config" in context && servesDestruction();
  const isBlind = context.api === undefined || context.api.settings.planChecks === "off" || isGone(context.api);
  const api = isThrownAway || isBlind ? undefined : context.api;
  const changed = { api: { value: api, enumerable: true }, report: { value: report, enumerable: true } };
  return Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(context), ...changed }) as C;
}

type AnyResource = ResourceDefinition<Attributes, string, object, Session, unknown>;

/**
 * Whether the state of an object allows its destruction: a protected one is refused then, too. Without the cluster, since the
 * plan of a destruction leaves notes for the plans of others.
 */
async function isDestroyable(definition: object, context: object): Promise<boolean> {
  const { identity = [], planDelete } = definition as AnyResource;
  const { prior, privateState, signal, log } = context as Parameters<NonNullable<AnyResource["plan"]>>[0];
  if (prior === null || planDelete === undefined) return true;
  const names = "attributes" in identity ? identity.attributes : identity;
  const report = new Refused();
  await planDelete.call(
    definition as AnyResource,
    {
      api: undefined,
      id: Object.fromEntries(names.map((name) => [name, (prior as Record<string, unknown>)[name]])),
      state: prior,
      privateState: structuredClone(privateState),
      isReplaced: false,
      report,
      signal,
      log,
    } as Parameters<typeof planDelete>[0],
  );
  return !report.failed;
}

/** Hears whether something is refused. */
class Refused implements Report {
  failed = false;

  error(): void {
    this.failed = true;
  }

  refusedElsewhere(): void {
    this.failed = true;
  }

  warning(): void {}
}

/** A resource definition, and what its objects are called in messages: `VM "web-1"`. */
type Named<A extends Attributes, I extends string, P extends object, H> = Grouped<
  ResourceDefinition<A, I, P, Session, H>
> &
  Tracking<A> & {
    label(known: { readonly [name: string]: unknown }): string;
  };

/**
 * As the framework's, but errors and log lines of the client carry the name of the object they are about,
 * and the last line says how long the operation took.
 */
export function defineResource<
  const A extends Attributes,
  const I extends string = never,
  P extends object = None,
  H = undefined,
>(given: Named<A, I, P, H>): ResourceDefinition<A, I, P, Session, H> {
  const definition = { ...given, ...trackObjects(given as never) } as Named<A, I, P, H>;
  const { label, ...hooks } = definition;
  const aboutOf = (known: { readonly [name: string]: unknown }) => ({
    resource: definition.type,
    label: label(known),
    ...(typeof known["vmid"] === "number" && { vmid: known["vmid"] }),
  });
  const named =
    <C extends Known, R>(
      name: "create" | "read" | "update" | "delete",
      hook: (context: C) => Awaitable<R>,
      isLast = true,
    ) =>
    (context: C): Promise<R> => {
      const known = { ...object(context.state), ...object(context.desired), ...object(context.id) };
      // `create` and `settle` want the same; that is how one goes on where the other has ended.
      const options = { name, about: aboutOf(known), log: context.log, key: object(context.desired), isLast };
      const work = () =>
        operation(options, async (log) => {
          try {
            return await reportingTaskWarnings(context.report, label(known), async () => hook({ ...context, log }));
          } catch (reason) {
            throw isOfObject(reason)
              ? new SubjectError(label(known), attributesInUse(definition.attributes, known), reason)
              : reason;
          }
        });
      return name === "read" || context.api === undefined ? work() : context.api.changes.during(work);
    };
  const planning =
    <C extends Planning>(verb: string, hook: (context: C) => Awaitable<void>) =>
    (context: C): Promise<void> => {
      const known = { ...object(context.prior ?? context.state), ...object(context.config) };
      const work = async () => {
        try {
          await hook(context);
        } catch (reason) {
          throw isOfObject(reason) ? new SubjectError(label(known), definition.attributes, reason, verb) : reason;
        }
      };
      const { api } = context;
      return workingOn(aboutOf(known), () => (api ? api.plans.during(work) : work()));
    };
  const { plan, planDelete, settle, update } = definition;
  return bound.defineResource({
    ...hooks,
    ...(plan && {
      async plan(context: Parameters<typeof plan>[0]) {
        const refusals = new PlanRefusals(context.report, context.api);
        const ahead = lookingAhead(context, refusals);
        const { api } = ahead;
        try {
          await planning("plan", async () => {
            const host = { api, report: refusals, config: { ...object(context.config) } };
            if (await isKnownToHost(definition.type, host)) await plan.call(definition, ahead);
          })(context);
        } finally {
          await refusals.report(definition.type, () => isDestroyable(given, context));
        }
      },
    }),
    ...(planDelete && {
      planDelete: planning("plan the removal of", (context: Parameters<typeof planDelete>[0]) =>
        planDelete.call(definition, lookingAhead(context, context.report)),
      ),
    }),
    create: named("create", definition.create.bind(definition), settle === undefined),
    read: named("read", (context: Parameters<typeof definition.read>[0]) => {
      const read = async () => definition.read(context);
      return context.purpose === "refresh" ? refreshing(context.api, read) : read();
    }),
    delete: named("delete", definition.delete.bind(definition)),
    ...(settle && { settle: named("create", settle.bind(definition)) }),
    ...(update && { update: named("update", update.bind(definition)) }),
  } as ResourceDefinition<A, I, P, Session, H>);
}

/** An action definition, what it does in one verb, and what it does it to: `reboot`, `VM 401`. */
type NamedAction<A extends Attributes> = Grouped<ActionDefinition<A, Session>> & {
  readonly verb: string;
  label(known: { readonly [name: string]: unknown }): string;
};

/** The same for actions. */
export function defineAction<const A extends Attributes>(definition: NamedAction<A>): ActionDefinition<A, Session> {
  const { label, verb, ...hooks } = definition;
  return bound.defineAction({
    ...hooks,
    invoke(context) {
      const subject = label({ ...object(context.config) });
      const about = { resource: definition.type, label: subject };
      return operation({ name: verb, about, log: context.log, key: context }, async (log) => {
        try {
          const invoke = async () => definition.invoke({ ...context, log });
          await reportingTaskWarnings(context.report, subject, invoke);
        } catch (reason) {
          throw isOfObject(reason) ? new SubjectError(subject, definition.attributes, reason, verb) : reason;
        }
      });
    },
  } as ActionDefinition<A, Session>);
}

const object = (value: unknown): object => (typeof value === "object" && value !== null ? value : {});
