import type { Attributes, MoveContext } from "#framework";

type JsonObject = MoveContext<Attributes, object>["state"];
type Json = JsonObject[string];

/**
 * What another provider's state holds about one thing, read without trust: a member of another kind than expected is
 * left out. Both providers store "not set" as an empty text, and a block as a list of one.
 */
export class LegacyState {
  readonly #members: JsonObject;

  constructor(members: JsonObject = {}) {
    this.#members = members;
  }

  /** Not empty. What words are allowed is not checked here: the refresh after a move reads the server's. */
  text<T extends string = string>(name: string): T | undefined {
    const value = this.#members[name];
    return typeof value === "string" && value !== "" ? (value as T) : undefined;
  }

  number(name: string): number | undefined {
    const value = this.#members[name];
    return typeof value === "number" || typeof value === "bigint" ? Number(value) : undefined;
  }

  /** Where zero, and anything below, stands for "not set". */
  count(name: string): number | undefined {
    const value = this.number(name);
    return value !== undefined && value > 0 ? value : undefined;
  }

  flag(name: string): boolean | undefined {
    const value = this.#members[name];
    return typeof value === "boolean" ? value : undefined;
  }

  /** Texts and numbers, as texts. */
  words<T extends string = string>(name: string): T[] | undefined {
    const value = this.#members[name];
    const words = Array.isArray(value) ? value.filter((word) => word !== null && typeof word !== "object") : [];
    return words.length > 0 ? words.map((word) => String(word) as T) : undefined;
  }

  /** The members of an object, or of a map. */
  members(name: string): JsonObject {
    const value = this.#members[name];
    return isObject(value) ? value : {};
  }

  /** The only block of that name; an empty one when there is none. */
  block(name: string): LegacyState {
    return this.blocks(name)[0] ?? new LegacyState(this.members(name));
  }

  blocks(name: string): LegacyState[] {
    const value = this.#members[name];
    return Array.isArray(value) ? value.filter(isObject).map((block) => new LegacyState(block)) : [];
  }

  /** Members that are objects, or blocks, by their names: slots, for instance. */
  get entries(): [string, LegacyState][] {
    return Object.keys(this.#members).flatMap((name) => {
      const block = this.block(name);
      return block.isEmpty ? [] : [[name, block] as [string, LegacyState]];
    });
  }

  get isEmpty(): boolean {
    return Object.keys(this.#members).length === 0;
  }
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
