import { Chance, hashOf } from "./chance.ts";
import type { ApiAnswer } from "./dispatch.ts";

/**
 * What differs between two equal calls because it comes from a Perl hash. A place is the path of an endpoint and the
 * way to a value in its data: `/access/groups/{groupid}.members`, `/storage[].content`.
 */
export interface UnorderedPlaces {
  /** Lists in any order, by place. Elements with different results of the function keep their order. */
  readonly lists: ReadonlyMap<string, (element: Readonly<Record<string, unknown>>) => unknown>;
  /** Places of texts that are comma-separated lists in any order. */
  readonly texts: ReadonlySet<string>;
  /** Matches paths of configurations, whose numbers are sent as text once Perl has used them as such. */
  readonly configurations: RegExp;
}

/** One in so many numbers of a configuration is sent as text. */
const numbersPerText = 4;
/** Paths share counters, so that a long run does not need more and more memory. */
const counters = 4096;

/**
 * Gives answers the order that they have in Proxmox VE: members of objects in any order, and lists and texts where
 * they come from a hash. The seed, the path and the number of its call determine the order.
 */
export class Untidiness {
  #seed: string;
  readonly #places: UnorderedPlaces;
  readonly #calls = new Uint32Array(counters);

  constructor(seed: string, places: UnorderedPlaces) {
    this.#seed = seed;
    this.#places = places;
  }

  /** Every path is at its first call again; with a seed, in another order. */
  restart(seed: string = this.#seed): void {
    this.#seed = seed;
    this.#calls.fill(0);
  }

  applyTo(answer: ApiAnswer, endpointPath: string, path: string): ApiAnswer {
    const counter = hashOf(path) % counters;
    const call = (this.#calls[counter] ?? 0) + 1;
    this.#calls[counter] = call;
    const chance = new Chance(`${this.#seed}/${call}${path}`);
    const shuffle = new Shuffle(chance, this.#places, this.#places.configurations.test(endpointPath));
    const { data, errors } = answer;
    return {
      ...answer,
      ...(data !== undefined && { data: shuffle.value(data, endpointPath) }),
      ...(errors && { errors: Object.fromEntries(chance.shuffled(Object.entries(errors))) }),
    };
  }
}

/** The copy of one answer in another order; handlers answer with parts of the world, which must not change. */
class Shuffle {
  readonly #chance: Chance;
  readonly #places: UnorderedPlaces;
  readonly #isConfiguration: boolean;

  constructor(chance: Chance, places: UnorderedPlaces, isConfiguration: boolean) {
    this.#chance = chance;
    this.#places = places;
    this.#isConfiguration = isConfiguration;
  }

  value(value: unknown, place: string): unknown {
    if (typeof value === "string") {
      return this.#places.texts.has(place) ? this.#chance.shuffled(value.split(",")).join(",") : value;
    }
    if (typeof value === "number") {
      return this.#isConfiguration && this.#chance.below(numbersPerText) === 0 ? String(value) : value;
    }
    if (Array.isArray(value)) {
      return this.#list(value, place);
    }
    return isPlainObject(value) ? this.#object(value, place) : value;
  }

  #object(value: object, place: string): object {
    const members = this.#chance.shuffled(Object.entries(value));
    return Object.fromEntries(members.map(([name, member]) => [name, this.value(member, `${place}.${name}`)]));
  }

  #list(value: readonly unknown[], place: string): unknown[] {
    const groupOf = this.#places.lists.get(place);
    const elements = groupOf === undefined ? value : this.#withinGroups(value, groupOf);
    return elements.map((element) => this.value(element, `${place}[]`));
  }

  #withinGroups<T>(elements: readonly T[], groupOf: (element: never) => unknown): T[] {
    const groups = Map.groupBy(elements, (element) => groupOf(element as never));
    return [...groups.values()].flatMap((group) => this.#chance.shuffled(group));
  }
}

/** A download, for example, is not. Objects of the world have no prototype. */
function isPlainObject(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
