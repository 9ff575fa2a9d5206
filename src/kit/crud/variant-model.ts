import { enumerate } from "../enumerate.ts";
import type { Members } from "../wire/wired.ts";
import type { Variants, Wired } from "./definition.ts";

/** The types of a collection: which one an object is of, and the attributes that this one has. */
export class VariantModel {
  readonly #attributes: Wired;
  readonly #variants: Variants<Wired> | undefined;

  constructor(attributes: Wired, variants: Variants<Wired> | undefined) {
    this.#attributes = attributes;
    this.#variants = variants;
  }

  get names(): readonly string[] {
    return this.#variants?.names ?? [];
  }

  get option(): string {
    return this.#variants?.option ?? "type";
  }

  get attribute(): string | undefined {
    return this.#variants?.attribute;
  }

  /** The attributes of the types: an object of one cannot become one of another. */
  get replacing(): Wired {
    const replace = {
      when: "if it takes the place of another type; changes inside are made in place unless named here",
    };
    return Object.fromEntries(
      Object.entries(this.#attributes)
        .filter(([name]) => this.names.includes(name))
        .map(([name, attribute]) => [name, { ...attribute, replace: attribute.replace ?? replace }]),
    );
  }

  /** PVE's name of the type. */
  wireOf(kind: string): string {
    return this.#variants?.wire?.[kind] ?? kind;
  }

  /** Which one is given. Undefined: not known yet. Null: none, or several. */
  kindIn(config: Members): string | null | undefined {
    if (this.names.some((name) => config[name] === undefined)) return undefined;
    const given = this.names.filter((name) => config[name] !== null && config[name] !== undefined);
    return given.length === 1 ? given[0] : null;
  }

  /** Which one an object is of that PVE has shown, or that has this identity. */
  kindOf(found: Members, id: Members): string | null {
    const type = found[this.option] ?? (this.attribute && id[this.attribute]);
    return this.names.find((name) => this.wireOf(name) === type) ?? null;
  }

  /** Without the attributes of the other types: options of the same name belong to the type that is given. */
  attributesOf(kind: string | null): Wired {
    const others = this.names.filter((name) => name !== kind);
    return Object.fromEntries(Object.entries(this.#attributes).filter(([name]) => !others.includes(name)));
  }

  othersOf(kind: string | null): Members {
    return Object.fromEntries(this.names.filter((name) => name !== kind).map((name) => [name, null]));
  }

  /** An object of a type is there, even if nothing is set in it. */
  withKind(seen: Members, kind: string): Members {
    const { shape } = this.#attributes[kind]?.type ?? { shape: { kind: "string" } };
    const members = "attributes" in shape ? Object.entries(shape.attributes) : [];
    const empty = Object.fromEntries(
      members.flatMap(([name, { writeOnly, local }]) => (writeOnly === undefined && !local ? [[name, null]] : [])),
    );
    const shown = this.attribute === undefined ? {} : { [this.attribute]: kind };
    return { ...seen, [kind]: seen[kind] ?? empty, ...shown };
  }

  /** Why the configuration does not say which type it is; null if it does, or may yet. */
  faultOf(config: Members): string | null {
    if (this.names.length === 0 || this.kindIn(config) !== null) return null;
    const given = this.names.filter((name) => config[name] !== null);
    const found = given.length === 0 ? "none is" : `${enumerate(given)} are`;
    return `Exactly one of ${enumerate(this.names)} must be given, and ${found}.`;
  }
}
