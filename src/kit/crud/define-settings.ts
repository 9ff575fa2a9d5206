import { Created, Failure, type IdentityOf, type Observed, type ResourceDefinition } from "#framework";
import type { ConfigObject } from "#pve";
import { defineResource } from "../define.ts";
import { movesFrom } from "../moves/predecessor.ts";
import { sentenceCase } from "../sentence-case.ts";
import type { Session } from "../session.ts";
import type { Members } from "../wire/wired.ts";
import { ObjectAccess } from "./access.ts";
import { changeObject } from "./change-object.ts";
import { awaitReferences, type Crud } from "./define-crud.ts";
import type { CrudDefinition, Wired } from "./definition.ts";
import { ObjectModel } from "./object-model.ts";
import { planDeletion, planObject } from "./plan-object.ts";

type None = Record<never, never>;
type Definition = CrudDefinition<Wired, string, object>;

/**
 * Settings that PVE always has, once for the cluster or once for each node. Nothing is created: what is written is
 * changed, and what was there before is recorded. Nothing is removed: each argument that can be left out is undone.
 */
export type SettingsDefinition<A extends Wired, I extends string> = Pick<
  CrudDefinition<A, I, None>,
  | "type"
  | "subcategory"
  | "doc"
  | "noun"
  | "path"
  | "file"
  | "identity"
  | "attributes"
  | "put"
  | "change"
  | "grants"
  | "needs"
  | "validate"
  | "plan"
  | "find"
  | "written"
  | "movedFrom"
> & {
  /** The identity of what the cluster has once, which no attribute of the configuration gives. */
  readonly id?: IdentityOf<A, I>;
};

type SettingsResource<A extends Wired, I extends string> = ResourceDefinition<A, I, None, Session, ConfigObject> & {
  readonly crud: Crud;
};

export function defineSettings<const A extends Wired, const I extends string>(
  given: SettingsDefinition<A, I>,
): SettingsResource<A, I> {
  const definition = { ...given, isPermanent: true } as unknown as Definition;
  const model = new ObjectModel(definition);
  const access = new ObjectAccess(definition, model);
  const { read, update } = access.endpoints(null);
  const existing = () => ({ summary: "", detail: "" });
  const crud: Crud = { definition, model, access, endpoints: [read, update], existing };
  const { type, subcategory, doc, attributes, identity, validate, movedFrom } = definition;
  const seen = async (api: Session, id: Members, signal: AbortSignal): Promise<ConfigObject> =>
    (await access.find(api, id, { signal, purpose: "proof" })) ?? unreadable(model, id);
  const resource = defineResource<Wired, string, None, ConfigObject>({
    type,
    subcategory,
    doc,
    attributes,
    identity,
    label: (known) => model.label(given.id === undefined ? known : {}),
    ...(movedFrom && { moves: movesFrom(definition, movedFrom) }),
    ...(validate && { validate }),
    plan: (context) => planObject(crud, context),
    planDelete: (context) => planDeletion(crud, context),

    async create({ api, desired, signal }) {
      const id = (given.id ?? model.idOf(desired)) as IdentityOf<Wired, string>;
      await awaitReferences(definition, api, desired, signal);
      const before = await seen(api, id, signal);
      await changeObject(crud, { api, id, desired, signal });
      return new Created(id, before);
    },
    before: ({ id, prior, handover }) =>
      (prior ?? model.parse(handover ?? {}, id, null)) as unknown as Partial<Observed<Wired>>,

    async read({ api, id, state, purpose, signal }) {
      const found = await access.find(api, id, { signal, purpose });
      return found === null ? null : (model.parse(found, id, state) as unknown as Observed<Wired>);
    },
    update: (context) => changeObject(crud, context),
    delete: ({ api, id, undone, signal }) => changeObject(crud, { api, id, desired: undone, signal }),
    ...(given.id && { import: (context) => importOnce(definition, given.id as Members, context.id) }),
  });
  return { ...resource, crud } as unknown as SettingsResource<A, I>;
}

function unreadable(model: ObjectModel, id: Members): never {
  const detail = `${sentenceCase(model.label(id))} cannot be found. Check that the node exists and is online.`;
  throw new Failure("Settings not found", detail);
}

function importOnce({ noun }: Definition, id: Members, written: string): IdentityOf<Wired, string> {
  const [word] = Object.values(id);
  if (written === word) return id as IdentityOf<Wired, string>;
  throw new Failure(`Not the ID of ${noun}`, `There is one of it, and its ID is \`${word}\`.`);
}
