import type { Attributes } from "#framework";
import type { Parameters } from "#pve";
import { ConfigDraft, type ConfigPatch } from "../wire/config-draft.ts";
import { isSame } from "../wire/same.ts";
import { keepSpelling, type Members, parseWired, patchWired, type WiredAttribute } from "../wire/wired.ts";
import type { Key, Variants, Wired } from "./definition.ts";
import { ObjectOptions } from "./option-codecs.ts";
import { VariantModel } from "./variant-model.ts";

interface Parts {
  readonly noun: string;
  readonly identity: readonly string[];
  readonly attributes: Wired;
  readonly variants?: Variants<Wired> | undefined;
}

/** How the objects of one definition are read from PVE's answers and written to its parameters. */
export class ObjectModel {
  readonly #parts: Parts;
  readonly #options: ObjectOptions;
  readonly variants: VariantModel;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#options = new ObjectOptions(parts.attributes);
    this.variants = new VariantModel(parts.attributes, parts.variants);
  }

  /** The values of the identity, as far as they are known. */
  idIn(values: Members): Members {
    const names = this.#parts.identity.filter((name) => values[name] !== undefined && values[name] !== null);
    return Object.fromEntries(names.map((name) => [name, values[name]]));
  }

  /** The identity of an object that will be created; its type is what the configuration gives. */
  idOf(values: Members): Members {
    const { attribute } = this.variants;
    const kind = this.variants.kindIn(values);
    return this.idIn(attribute && kind ? { ...values, [attribute]: kind } : values);
  }

  /** The identity of an object in a list of the collection. */
  idFrom(one: Members, kind: string | null): Members {
    const { attribute } = this.variants;
    const id = this.#parts.identity.map((name) => [name, one[this.#parts.attributes[name]?.wire ?? name]]);
    return { ...Object.fromEntries(id), ...(attribute && kind !== null && { [attribute]: kind }) };
  }

  /** The name by which others refer to it. */
  nameOf(id: Members): string {
    return this.#names.map((name) => String(id[name])).join("/");
  }

  /** The attribute that a refusal of the name is about. */
  get nameAttribute(): string | null {
    return this.#names[0] ?? null;
  }

  get #names(): string[] {
    return this.#parts.identity.filter((name) => name !== this.variants.attribute);
  }

  isWhole(id: Members): boolean {
    return this.#parts.identity.every((name) => id[name] !== undefined);
  }

  /** As an import takes it. */
  idText(id: Members): string {
    return this.#parts.identity.map((name) => String(id[name])).join("/");
  }

  /** `HA rule "near"`; without a name as long as it is not known. */
  label(known: Members): string {
    const { noun } = this.#parts;
    const names = this.#names.flatMap((name) => known[name] ?? []);
    return names.length === 0 ? noun : `${noun} "${names.join("/")}"`;
  }

  /** The identity by PVE's names: what fills the places of a path. */
  key(id: Members): Key {
    return Object.fromEntries(
      Object.entries(id).map(([name, value]) => [this.#parts.attributes[name]?.wire ?? name, String(value)]),
    );
  }

  /** The object as attributes. What `expected` says in other words than PVE is kept in those words. */
  parse(found: object, id: Members, expected: Members | null): Members {
    const draft = this.#draft(found);
    const kind = this.variants.kindOf(found as Members, id);
    const attributes = this.variants.attributesOf(kind);
    const seen = { ...parseWired(attributes, draft), ...this.variants.othersOf(kind), ...id };
    const shown = kind === null ? seen : this.variants.withKind(seen, kind);
    return expected === null ? shown : keepSpelling(this.#parts.attributes, shown, expected);
  }

  /**
   * What is left to send to make the object what is desired. Nothing: it is done, by this call or another client. Secrets, which PVE does
   * not show, count as done in a proof.
   */
  remaining(found: object, desired: Members, { isProof = false } = {}): ConfigPatch {
    const draft = this.#draft(found);
    const attributes = this.variants.attributesOf(this.variants.kindIn(desired) ?? null);
    const seen = parseWired(attributes, draft);
    const wanted = isProof ? withoutSecrets(attributes, desired) : desired;
    const differing = Object.entries(wanted).filter(([name, value]) => {
      const attribute = attributes[name];
      // The identity is in the path, and not every answer repeats it.
      if (this.#parts.identity.includes(name)) return false;
      return attribute && value !== undefined && !isSame(attribute.type, seen[name] ?? null, value);
    });
    patchWired(attributes, Object.fromEntries(differing), draft);
    const { set, delete: unset } = draft.patch;
    const forgotten = isProof ? [] : secretsToForget(attributes, desired).filter((option) => !unset.includes(option));
    return { set, delete: [...unset, ...forgotten] };
  }

  /** A patch as parameters of a call. */
  toParameters(set: ConfigPatch["set"]): Parameters {
    return Object.fromEntries(
      Object.entries(set).map(([option, raw]) => [option, this.#options.toParameter(option, raw)]),
    );
  }

  #draft(found: object): ConfigDraft {
    return new ConfigDraft(this.#options.normalise(found as Members), this.#options);
  }
}

/** Secrets that the object is to have no more. PVE does not show them, so they do not differ from what was read. */
function secretsToForget(attributes: Attributes, desired: Members): string[] {
  return Object.entries(desired).flatMap(([name, value]) => {
    const { writeOnly, undo, type, wire } = (attributes[name] ?? {}) as Partial<WiredAttribute>;
    const { shape } = type ?? {};
    if (shape?.kind === "nested" && typeof value === "object" && value !== null) {
      return secretsToForget(shape.attributes, value as Members);
    }
    const isToGo = value === null && typeof writeOnly === "object" && undo !== "never";
    // A part of a line is taken out of the line, which PVE shows.
    return isToGo && typeof wire === "string" && !wire.includes("/") ? [wire] : [];
  });
}

/** What PVE shows of an object it was given. */
function withoutSecrets(attributes: Attributes, desired: Members): Members {
  const shown = Object.entries(desired).filter(([name]) => attributes[name]?.writeOnly === undefined);
  return Object.fromEntries(
    shown.map(([name, value]) => {
      const { shape } = attributes[name]?.type ?? {};
      const isObject = shape?.kind === "nested" && typeof value === "object" && value !== null;
      return [name, isObject ? withoutSecrets(shape.attributes, value as Members) : value];
    }),
  );
}
