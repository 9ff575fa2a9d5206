import { type ActionDefinition, type Attributes, definitions, type ResourceDefinition } from "#framework";
import { isPveError } from "./pve-error.ts";
import type { Session } from "./session.ts";
import { SubjectError } from "./subject.ts";

const bound = definitions<Session>();

export const { defineProvider, defineDataSource, defineEphemeral, defineListResource, defineFunction } = bound;

type None = Record<never, never>;

/** What a hook knows of the object it is about. */
interface Known {
  readonly id?: unknown;
  readonly desired?: unknown;
  readonly state?: unknown;
}

/** A resource definition, and what its objects are called in messages: `VM "web-1"`. */
type Named<A extends Attributes, I extends string, P extends object> = ResourceDefinition<A, I, P, Session> & {
  label(known: { readonly [name: string]: unknown }): string;
};

/** As the framework's, but whatever the client throws is told with the name of the object it is about. */
export function defineResource<const A extends Attributes, const I extends string = never, P extends object = None>(
  definition: Named<A, I, P>,
): ResourceDefinition<A, I, P, Session> {
  const { label, ...hooks } = definition;
  const named =
    <C extends Known, R>(hook: (context: C) => R) =>
    async (context: C): Promise<Awaited<R>> => {
      try {
        return await hook(context);
      } catch (reason) {
        if (!isPveError(reason)) throw reason;
        const known = { ...object(context.state), ...object(context.desired), ...object(context.id) };
        throw new SubjectError(label(known), definition.attributes, reason);
      }
    };
  return bound.defineResource({
    ...hooks,
    create: named(definition.create.bind(definition)),
    read: named(definition.read.bind(definition)),
    delete: named(definition.delete.bind(definition)),
    ...(definition.settle && { settle: named(definition.settle.bind(definition)) }),
    ...(definition.update && { update: named(definition.update.bind(definition)) }),
  } as ResourceDefinition<A, I, P, Session>);
}

/** An action definition, what it does in one verb, and what it does it to: `reboot`, `VM 401`. */
type NamedAction<A extends Attributes> = ActionDefinition<A, Session> & {
  readonly verb: string;
  label(known: { readonly [name: string]: unknown }): string;
};

/** The same for actions. */
export function defineAction<const A extends Attributes>(definition: NamedAction<A>): ActionDefinition<A, Session> {
  const { label, verb, ...hooks } = definition;
  return bound.defineAction({
    ...hooks,
    async invoke(context) {
      try {
        await definition.invoke(context);
      } catch (reason) {
        if (!isPveError(reason)) throw reason;
        throw new SubjectError(label({ ...object(context.config) }), definition.attributes, reason, verb);
      }
    },
  } as ActionDefinition<A, Session>);
}

const object = (value: unknown): object => (typeof value === "object" && value !== null ? value : {});
