import type { ConfigObject, ObjectCalls, ObjectPaths, Parameters } from "#pve";
import { listQuestion } from "../listed.ts";
import type { Session } from "../session.ts";
import type { ConfigPatch } from "../wire/config-draft.ts";
import type { Members } from "../wire/wired.ts";
import type { CrudDefinition, FindContext, Key, Wired } from "./definition.ts";
import { type Endpoints, endpointsOf, endpointsOfSettings } from "./endpoints.ts";
import type { ObjectModel } from "./object-model.ts";
import { oneAtATime } from "./one-at-a-time.ts";

type Definition = CrudDefinition<Wired, string, object>;

/** The calls of one definition, by identities instead of paths. */
export class ObjectAccess {
  readonly #definition: Definition;
  readonly #model: ObjectModel;
  /** Types that have paths of their own; null where all share one. */
  readonly kinds: readonly (string | null)[];

  constructor(definition: Definition, model: ObjectModel) {
    this.#definition = definition;
    this.#model = model;
    this.kinds = this.#isTypeInPath ? model.variants.names : [null];
  }

  endpoints(kind: string | null): Endpoints {
    const paths = this.#pathsOf(this.#isTypeInPath ? kind : null);
    if (this.#definition.isPermanent) return endpointsOfSettings(paths);
    const endpoints = endpointsOf(paths);
    return this.#definition.isListOnly ? { ...endpoints, read: endpoints.list } : endpoints;
  }

  /** The object, or null. A refresh of many reads the list of the collection once, where that shows whole objects. */
  async find(api: Session, id: Members, context: FindContext<Wired, string, object>): Promise<ConfigObject | null> {
    const { find, optionsIn = (answer) => answer } = this.#definition;
    const look = async () => this.#lookUp(api, id, await this.#placesOf(api, id), context);
    if (find) return find(api, this.#keyOf(id), { ...context, look });
    const found = await look();
    return found === null ? null : optionsIn(found);
  }

  async #lookUp(api: Session, id: Members, key: Key, context: FindContext<Wired, string, object>) {
    const { isListWhole, isListOnly } = this.#definition;
    const { purpose } = context;
    const isOneOfMany = purpose === "refresh" || purpose === "plan";
    const calls = this.#calls(api, id);
    if (!isListOnly && !(isListWhole && isOneOfMany)) return calls.find(key, context);
    const ask = () => calls.list(key);
    const all = await (isOneOfMany ? api.store.remember(this.#question(id), ask) : ask());
    const found = all.find((one) => this.#isOf(one, id, key)) ?? null;
    // A list leaves out what the caller may not see by it, and may read alone; but who may create one sees them all.
    return found ?? (isListOnly || purpose === "plan" ? null : calls.find(key, context));
  }

  #isOf(one: ConfigObject, id: Members, key: Key): boolean {
    const { listedId } = this.#definition;
    if (listedId) return this.#model.idText(listedId(one)) === this.#model.idText(id);
    return Object.entries(key).every(([name, value]) => one[name] === undefined || String(one[name]) === value);
  }

  async create(api: Session, id: Members, desired: Members, signal: AbortSignal): Promise<void> {
    const { fixed = {}, creation } = this.#definition;
    const { variants } = this.#model;
    const kind = variants.kindIn(desired) ?? null;
    const values = {
      ...this.#model.toParameters(this.#model.remaining({}, desired).set),
      ...(kind !== null && !this.#isTypeInPath && { [variants.option]: variants.wireOf(kind) }),
      ...fixed,
      ...this.#definition.besides?.(desired),
      ...this.#parametersOf(id),
      ...(await this.#missingIn(api, this.#keyOf(id), creation ?? this.#collection)),
    };
    await this.#inTurn(api, id, () => this.#calls(api, id).create(values, { signal }));
  }

  /** A patch without what PVE takes at creation only. */
  changeable({ set, delete: unset }: ConfigPatch): ConfigPatch {
    const { attributes, onlyAtCreation = [] } = this.#definition;
    const early = Object.values(attributes).flatMap((one) => (one.onlyAtCreation ? (one.wire ?? []) : []));
    const isLate = (option: string) => ![...onlyAtCreation, ...early].includes(option);
    const late = Object.entries(set).filter(([option]) => isLate(option));
    return { set: Object.fromEntries(late), delete: unset.filter(isLate) };
  }

  /** One `PUT` in the dialect that PVE has for it. */
  async update(api: Session, id: Members, now: ConfigObject, change: Change, signal: AbortSignal): Promise<unknown> {
    const places = await this.#definition.places?.(api, this.#keyOf(id));
    const besides = this.#definition.besides?.(change.desired);
    const parameters = { ...this.#changeOf(now, change), ...besides, ...this.#parametersOf(id), ...places };
    return this.#writing(api, id, () => this.#calls(api, id).update(parameters, { signal }));
  }

  async remove(api: Session, id: Members, signal: AbortSignal, besides?: Parameters): Promise<void> {
    const key = await this.#placesOf(api, id);
    await this.#inTurn(api, id, () => this.#calls(api, id).remove(key, { signal }, besides));
  }

  async #placesOf(api: Session, id: Members): Promise<Key> {
    const key = this.#keyOf(id);
    return { ...key, ...(await this.#definition.places?.(api, key)) };
  }

  /** Values for the places of a path that are not part of the identity. */
  async #missingIn(api: Session, key: Key, path: string): Promise<Key> {
    const missing = [...path.matchAll(/\{([^}]+)\}/g)].flatMap(([, place = ""]) => (place in key ? [] : [place]));
    const { places } = this.#definition;
    if (missing.length === 0 || places === undefined) return {};
    const known = await places(api, key);
    return Object.fromEntries(missing.flatMap((place) => (known[place] === undefined ? [] : [[place, known[place]]])));
  }

  get #collection(): string {
    const { collection, path } = this.#definition;
    return collection ?? path.slice(0, path.lastIndexOf("/"));
  }

  /** Every object of the collection; with its type where the types have collections of their own. */
  async list(
    api: Session,
    signal: AbortSignal,
  ): Promise<{ readonly kind: string | null; readonly one: ConfigObject }[]> {
    const { file, listAll } = this.#definition;
    if (listAll) return (await listAll(api, signal)).map((one) => ({ kind: null, one }));
    const key = await this.#missingIn(api, {}, this.#collection);
    const lists = this.kinds.map(async (kind) => {
      const found = await api.objects(file, this.#pathsOf(kind)).list(key, { signal });
      return found.map((one) => ({ kind, one }));
    });
    return (await Promise.all(lists)).flat();
  }

  #changeOf(now: ConfigObject, { patch, desired }: Change): Parameters {
    const { put = "patch", alwaysSent = [], isDeleteRepeated, isTypeRepeated } = this.#definition;
    const whole = this.changeable(this.#model.remaining({}, desired)).set;
    if (put === "whole") return this.#model.toParameters(whole);
    const always = alwaysSent.flatMap((option) => (whole[option] === undefined ? [] : [[option, whole[option]]]));
    const { variants } = this.#model;
    const kind = isTypeRepeated ? variants.kindIn(desired) : null;
    const set = {
      ...this.#model.toParameters({ ...Object.fromEntries(always), ...patch.set }),
      ...(kind && { [variants.option]: variants.wireOf(kind) }),
    };
    if (put === "blank") return { ...set, ...Object.fromEntries(patch.delete.map((option) => [option, ""])) };
    return {
      ...set,
      ...(patch.delete.length > 0 && { delete: isDeleteRepeated ? { each: patch.delete } : patch.delete }),
      ...(now.digest && { digest: now.digest }),
    };
  }

  get #isTypeInPath(): boolean {
    return this.#definition.path.includes(`{${this.#model.variants.option}}`);
  }

  #pathsOf(kind: string | null): ObjectPaths {
    const { path, collection, creation, change, listing } = this.#definition;
    const { variants } = this.#model;
    const expand = (template: string) =>
      kind === null ? template : template.replace(`{${variants.option}}`, variants.wireOf(kind));
    return {
      path: expand(path),
      ...(collection !== undefined && { collection: expand(collection) }),
      ...(creation !== undefined && { creation: expand(creation) }),
      ...(change !== undefined && { change }),
      ...(listing !== undefined && { listing }),
    };
  }

  #kindOf(id: Members): string | null {
    const { attribute } = this.#model.variants;
    return this.#isTypeInPath && attribute ? String(id[attribute]) : null;
  }

  #calls(api: Session, id: Members): ObjectCalls {
    return api.objects(this.#definition.file, this.#pathsOf(this.#kindOf(id)));
  }

  /** The identity as parameters; a type that is part of the path is none. */
  #parametersOf(id: Members): Key {
    const { [this.#model.variants.option]: type, ...rest } = this.#keyOf(id);
    return type === undefined || this.#isTypeInPath ? rest : { ...rest, [this.#model.variants.option]: type };
  }

  /** What PVE has once and always is identified by its path alone. */
  #keyOf(id: Members): Key {
    const { path, isPermanent } = this.#definition;
    const key = this.#model.key(id);
    return isPermanent ? Object.fromEntries(Object.entries(key).filter(([name]) => path.includes(`{${name}}`))) : key;
  }

  #question(id: Members): string {
    return listQuestion(this.#pathsOf(this.#kindOf(id)), this.#model.key(id));
  }

  /** A write that no change of another object in the file overlaps: it would outdate the digest that the change has read. */
  #inTurn<T>(api: Session, id: Members, work: () => Promise<T>): Promise<T> {
    return oneAtATime(api, this.#definition.file, () => this.#writing(api, id, work));
  }

  async #writing<T>(api: Session, id: Members, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } finally {
      this.forget(api, id);
    }
  }

  /** What was seen of the object and its collection before it was written. */
  forget(api: Session, id: Members): void {
    api.store.forget(this.#question(id));
    this.#definition.written?.(api);
  }
}

export interface Change {
  readonly patch: ConfigPatch;
  readonly desired: Members;
}
