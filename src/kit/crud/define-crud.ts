import {
  type CreateContext,
  Failure,
  type IdentityOf,
  type Observed,
  type ResourceDefinition,
  type SettleContext,
  type UpdateContext,
} from "#framework";
import type { Parameters } from "#pve";
import { alreadyExists } from "../already-exists.ts";
import { createOnce } from "../create-once.ts";
import { defineResource } from "../define.ts";
import { movesFrom } from "../moves/predecessor.ts";
import { sentenceCase } from "../sentence-case.ts";
import type { Session } from "../session.ts";
import { commitStaged } from "../staged/staging.ts";
import type { Members } from "../wire/wired.ts";
import { ObjectAccess } from "./access.ts";
import { changeObject } from "./change-object.ts";
import type { CrudDefinition, Wired } from "./definition.ts";
import { ObjectModel } from "./object-model.ts";
import { planDeletion, plannedCreations, planObject } from "./plan-object.ts";
import { awaitReferrals } from "./referrals.ts";
import { isLeftover, leftToRemove, settleChange, thatExists, writeChange } from "./staged-object.ts";
import { hasSuccessor } from "./succession.ts";

type None = Record<never, never>;
type Definition = CrudDefinition<Wired, string, object>;

/** What the generic parts know of one definition. */
export interface Crud {
  readonly definition: Definition;
  readonly model: ObjectModel;
  readonly access: ObjectAccess;
  /** Every call it makes, as PVE's description names them. */
  readonly endpoints: readonly string[];
  existing(id: Members): { readonly summary: string; readonly detail: string };
}

/** A resource from the definition of an object, and what other parts derive from the same definition. */
export type CrudResource<A extends Wired, I extends string, P extends object> = ResourceDefinition<A, I, P, Session> & {
  readonly crud: Crud;
};

export function defineCrud<const A extends Wired, const I extends string, P extends object = None>(
  given: CrudDefinition<A, I, P>,
): CrudResource<A, I, P> {
  const definition = given as unknown as Definition;
  const model = new ObjectModel(definition);
  const access = new ObjectAccess(definition, model);
  const endpoints = access.kinds.flatMap((kind) => Object.values(access.endpoints(kind)));
  const crud: Crud = { definition, model, access, endpoints, existing: (id) => existing(definition, model, id) };
  const { type, subcategory, doc, attributes, identity, movedFrom, parseId, validate } = definition;
  const resource = defineResource({
    type,
    subcategory,
    doc,
    attributes: { ...attributes, ...model.variants.replacing },
    identity,
    privateState: definition.privateState ?? {},
    ...(movedFrom && { moves: movesFrom(definition, movedFrom) }),
    label: (known) => model.label(known),

    validate(context) {
      const fault = model.variants.faultOf(context.config as Members);
      if (fault !== null) context.report.error(null, "Exactly one type", fault);
      validate?.(context);
    },
    plan: (context) => planObject(crud, context),
    planDelete: (context) => planDeletion(crud, context),

    async create(context) {
      const { api, desired } = context;
      const id = model.idOf(desired);
      await awaitReferences(definition, api, desired, context.signal);
      await writeChange(crud, { ...context, id, settings: desired }, () => make(crud, context, id));
      fulfil(crud, api, id);
      return id as IdentityOf<Wired, string>;
    },
    ...((definition.settle || definition.staged) && {
      settle: async (context: SettleContext<Wired, string, object, Session>) => {
        await definition.settle?.(context);
        await settleChange({ ...context, settings: context.desired });
      },
    }),

    async read({ api, id, state, purpose, signal }) {
      const found = await access.find(api, id, { signal, purpose });
      const left = found === null && purpose === "refresh" ? await leftToRemove(crud, api, id, state) : null;
      if (found === null) return left as unknown as Observed<Wired> | null;
      return model.parse(found, id, state) as unknown as Observed<Wired>;
    },

    async update(context) {
      const { api, desired, prior, signal } = context;
      const staged = { ...context, settings: desired };
      await awaitReferrals(api, { attributes, desired, prior: thatExists(prior), signal });
      await writeChange(crud, staged, async () => {
        if (await isGone(crud, context)) return make(crud, context, context.id);
        await changeObject(crud, context);
        await definition.changed?.(context);
      });
      fulfil(crud, api, context.id);
      await settleChange(staged);
    },

    async delete(context) {
      const { api, id, signal } = context;
      const remove = (besides?: Parameters) => access.remove(api, id, signal, besides);
      const staged = { ...context, settings: context.state };
      const work = () => definition.delete?.({ ...context, hasSuccessor: hasSuccessor(context) }, remove) ?? remove();
      await writeChange(crud, { ...staged, isRemoval: true }, work).finally(() => access.forget(api, id));
      await settleChange(staged);
    },

    ...(parseId && {
      import: ({ id }: { readonly id: string }) => parseId(id) ?? refuseId(definition, id),
    }),
  });
  return { ...resource, crud } as unknown as CrudResource<A, I, P>;
}

type Update = UpdateContext<Wired, string, object, Session>;

type Create = Pick<CreateContext<Wired, string, object, Session>, "api" | "desired" | "signal">;

/** Whether an object that is to be changed is gone since: an interrupted run has staged that, or it went with others. */
async function isGone({ definition, access }: Crud, { api, id, prior, signal }: Update): Promise<boolean> {
  if (thatExists(prior as Members) !== null && !definition.goesWithOthers) return false;
  return (await access.find(api, id, { signal, purpose: "proof" })) === null;
}

/** What waits for the object can refer to it now. */
function fulfil({ definition, model }: Crud, { planned }: Session, id: Members): void {
  if (definition.plannedAs) planned.fulfil(definition.plannedAs, model.nameOf(id));
}

/** Creates it, unless an interrupted run has staged the same. */
async function make(crud: Crud, { api, desired, signal }: Create, id: Members): Promise<void> {
  const { definition, model, access } = crud;
  plannedCreations(api).delete(`${definition.type} ${model.idText(id)}`);
  const find = () => access.find(api, id, { signal, purpose: "proof" });
  const left = definition.staged ? await find() : null;
  if (definition.isTakenOver?.(model.variants.kindIn(desired) ?? null)) {
    return changeObject(crud, { api, id, desired, signal });
  }
  if (left !== null && (await isLeftover(crud, api, left, desired))) return;
  const create = () => access.create(api, id, desired, signal);
  const exists = existing(definition, model, id);
  await createOnce({ api, signal, find, make: create, exists, path: model.nameAttribute });
}

/** Waits for what the object refers to and the same run creates. */
export async function awaitReferences(
  definition: Definition,
  api: Session,
  desired: Members,
  signal: AbortSignal,
): Promise<void> {
  if (definition.contactsHosts) await commitStaged(api, signal);
  await awaitReferrals(api, { attributes: definition.attributes, desired, signal });
}

function existing(definition: Definition, model: ObjectModel, id: Members) {
  const { type, otherwise = `Otherwise choose another \`${model.nameAttribute}\`.` } = definition;
  return alreadyExists({ type, id: model.idText(id), label: sentenceCase(model.label(id)), otherwise });
}

function refuseId({ noun, identity }: Definition, id: string): never {
  throw new Failure(`Not the ID of a ${noun}`, `\`${id}\` is not of the form ${identity.join("/")}.`);
}
