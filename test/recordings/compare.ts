import { isDeepStrictEqual } from "node:util";
import { withoutToolLines, withStableOrder, withTheSameStatistics } from "./adapt.ts";
import type { Answer } from "./exchange.ts";
import type { Identities } from "./identities.ts";
import type { ExpectedAnswer, Json, JsonObject } from "./recording.ts";
import { generatedKey, keys, looselyOrderedLists, orderedLists, rules, softParts, type Treatment } from "./volatile.ts";

/**
 * Compares one answer with the recorded one. Hard: another status, reason, message, member, value or element, or a
 * broken identity. Soft: equal up to representation (number or text, order of tasks, Perl positions, minor headers).
 */
export class Comparison {
  readonly hard: string[] = [];
  readonly soft: string[] = [];
  readonly #identities: Identities;
  readonly #path: string;
  readonly #rules: typeof rules;

  constructor(identities: Identities, requestPath: string) {
    this.#identities = identities;
    const path = requestPath.replace(/^=?(\/api2\/(json|extjs|html|text))?/, "").replace(/\$\{[^}]+\}/g, "X");
    this.#path = path.replace(/\/+$/, "") || "/";
    this.#rules = rules.filter((rule) => rule.path.test(this.#path));
  }

  answer(expected: ExpectedAnswer, got: Answer): void {
    if (expected.status !== got.status) {
      const texts = [`${expected.status} ${expected.reason}`, `${got.status} ${got.reason} ${got.text.slice(0, 300)}`];
      this.hard.push(`status: expected ${texts[0]}, got ${texts[1]}`);
      return;
    }
    if (expected.reason !== undefined) {
      this.#string(expected.reason, got.reason, "reason");
    }
    this.#headers(expected.headers ?? {}, got.headers);
    if (!expected.ignore_body) {
      this.#body(expected, got);
    }
  }

  task(expected: JsonObject, got: JsonObject): void {
    for (const [name, value] of Object.entries(expected)) {
      this.#scalar(value, got[name] ?? null, `task.${name}`);
    }
  }

  #headers(expected: Readonly<Record<string, string>>, got: Readonly<Record<string, string>>): void {
    const plain = (text = "") => text.toLowerCase().replace(/\s+/g, "");
    for (const [name, value] of Object.entries(expected)) {
      const here = got[name.toLowerCase()];
      if (plain(value) !== plain(here)) {
        const isOtherType =
          name.toLowerCase() === "content-type" &&
          here !== undefined &&
          plain(value).split(";")[0] !== plain(here).split(";")[0];
        this.#note(isOtherType ? this.hard : this.soft, `header ${name}`, value, here);
      }
    }
  }

  #body(expected: ExpectedAnswer, got: Answer): void {
    if (expected.text !== undefined) {
      this.#string(expected.text, got.text, "body");
    } else if (expected.body === undefined || expected.body === null) {
      if (got.text.trim() !== "") {
        this.#note(this.hard, "body", "", got.text);
      }
    } else if (got.json === undefined) {
      this.#note(this.hard, "body", expected.body, got.text);
    } else {
      const [before, here] = this.#adapted(expected.body, got.json);
      this.#value(before, here, "", null);
    }
  }

  #adapted(expected: Json, got: Json): [Json, Json] {
    if (/^\/nodes\/[^/]+\/tasks\/[^/]+\/log$/.test(this.#path)) {
      return [withoutToolLines(expected), withoutToolLines(got)];
    }
    if (/^\/nodes\/[^/]+\/network$/.test(this.#path)) {
      return [withStableOrder(expected), withStableOrder(got)];
    }
    if (this.#path === "/cluster/resources" || this.#path.startsWith("/pools")) {
      return withTheSameStatistics(expected, got);
    }
    return [expected, got];
  }

  #treatment(place: string, parent: Json): Treatment | null {
    const found = this.#rules.find(
      (rule) => rule.place.test(place) && (rule.of === undefined || (isObject(parent) && rule.of(parent))),
    );
    return found?.treatment ?? null;
  }

  #value(expected: Json, got: Json, place: string, parent: Json): void {
    const treatment = this.#treatment(place, parent);
    if (treatment === "skip") {
      return;
    }
    if (treatment === "any" || treatment === "opt") {
      if (kindOf(expected) !== kindOf(got)) {
        this.#note(this.hard, place, `a ${kindOf(expected)}`, got);
      }
    } else if (treatment === "shape") {
      this.#shape(expected, got, place);
    } else if (treatment === "csv" && typeof expected === "string" && typeof got === "string") {
      if (sortedList(expected) !== sortedList(got)) {
        this.#note(this.hard, place, expected, got);
      }
    } else if (treatment === "soft") {
      if (!isDeepStrictEqual(expected, got)) {
        this.#note(this.soft, place, expected, got);
      }
    } else if (isObject(expected) && isObject(got)) {
      this.#object(expected, got, place);
    } else if (Array.isArray(expected) && Array.isArray(got)) {
      this.#list(expected, got, place);
    } else {
      this.#scalar(expected, got, place);
    }
  }

  #scalar(expected: Json, got: Json, place: string): void {
    if (typeof expected === "string" && typeof got === "string") {
      this.#string(expected, got, place);
    } else if (!isDeepStrictEqual(expected, got)) {
      const isSameNumber = isPlain(expected) && isPlain(got) && asNumber(expected) === asNumber(got);
      this.#note(isSameNumber ? this.soft : this.hard, place, expected, got);
    }
  }

  #string(expected: string, got: string, place: string): void {
    const [before, here] = [this.#identities.mask(expected), this.#identities.mask(got)];
    if (before.text !== here.text && !isSameInAnyOrder(before.text, here.text)) {
      const strip = (text: string) => softParts.reduce((rest, part) => rest.replace(part, ""), text);
      this.#note(strip(before.text) === strip(here.text) ? this.soft : this.hard, place, expected, got);
      return;
    }
    for (const [index, { kind, value }] of before.found.entries()) {
      const other = here.found[index]?.value ?? "";
      if (!this.#identities.isSame(kind, value, other)) {
        const severity = kind === "uuid" || kind === "mac" ? this.hard : this.soft;
        this.#note(severity, `${place}: identity of a ${kind}`, value, other);
      }
    }
  }

  #shape(expected: Json, got: Json, place: string): void {
    if (kindOf(expected) !== kindOf(got)) {
      this.#note(this.hard, place, `a ${kindOf(expected)}`, got);
    } else if (isObject(expected) && isObject(got)) {
      for (const [name, member] of Object.entries(expected)) {
        const here = got[name];
        if (here === undefined) {
          this.#note(this.hard, `${place}.${name}`, member, undefined);
        } else {
          this.#shape(member, here, `${place}.${name}`);
        }
      }
    }
  }

  #object(expected: JsonObject, got: JsonObject, place: string): void {
    const prefix = place === "" ? "" : `${place}.`;
    for (const name of new Set([...Object.keys(expected), ...Object.keys(got)])) {
      const [before, here] = [expected[name], got[name]];
      if (before !== undefined && here !== undefined) {
        this.#value(before, here, prefix + name, expected);
        continue;
      }
      const treatment = this.#treatment(prefix + name, before === undefined ? got : expected);
      if (treatment === "skip") {
        continue;
      }
      const isSoft = treatment === "opt" || (place === "" && name === "data" && before === null);
      this.#note(isSoft ? this.soft : this.hard, prefix + name, before, here);
    }
  }

  #list(expected: Json[], got: Json[], place: string): void {
    const areObjects = [...expected, ...got].every(isObject);
    if (orderedLists.test(this.#path) || !areObjects) {
      if (expected.length === got.length) {
        this.#pairs(expected, got, place);
      } else {
        this.#note(this.hard, place, expected, got);
      }
      return;
    }
    const key = keys.find((name) => isKey(name, expected as JsonObject[]) && isKey(name, got as JsonObject[]));
    if (key !== undefined && !looselyOrderedLists.test(this.#path)) {
      const keyOf = (element: Json) => this.#identities.mask(String((element as JsonObject)[key])).text;
      if (new Set(expected.map(keyOf)).size === expected.length && new Set(got.map(keyOf)).size === got.length) {
        this.#set({ expected, got, place, nameOf: (element) => `${key}=${keyOf(element)}` });
        return;
      }
    }
    this.#set({ expected, got, place, nameOf: (element) => this.#canonical(element, `${place}[]`, null) });
  }

  #pairs(expected: readonly Json[], got: readonly Json[], place: string): void {
    for (const [index, element] of expected.entries()) {
      this.#value(element, got[index] ?? null, `${place}[]`, null);
    }
  }

  /** Compares elements of the same name; where one of each side is left over, these two. */
  #set({ expected, got, place, nameOf }: Unordered): void {
    const rest = got.map((element) => ({ name: nameOf(element), element }));
    const left: { name: string; element: Json }[] = [];
    for (const element of expected) {
      const name = nameOf(element);
      const at = rest.findIndex((other) => other.name === name);
      if (at < 0) {
        left.push({ name, element });
      } else {
        this.#value(element, rest.splice(at, 1)[0]?.element ?? null, `${place}[]`, null);
      }
    }
    if (left.length === 1 && rest.length === 1) {
      this.#value(left[0]?.element ?? null, rest[0]?.element ?? null, `${place}[]`, null);
      return;
    }
    for (const { name } of left) {
      this.hard.push(`${place}: element missing: ${name}`);
    }
    for (const { name } of rest) {
      this.hard.push(`${place}: element not expected: ${name}`);
    }
  }

  /** The value with everything volatile masked, to find the elements of two lists that belong together. */
  #canonical(value: Json, place: string, parent: Json): string {
    const treatment = this.#treatment(place, parent);
    if (treatment !== null && treatment !== "csv" && treatment !== "soft") {
      return "";
    }
    if (isObject(value)) {
      const members = Object.keys(value).toSorted();
      return `{${members.map((name) => `${name}:${this.#canonical(value[name] ?? null, `${place}.${name}`, value)}`)}}`;
    }
    if (Array.isArray(value)) {
      return `[${value.map((element) => this.#canonical(element, `${place}[]`, null)).toSorted()}]`;
    }
    const { text } = this.#identities.mask(String(typeof value === "boolean" ? Number(value) : value));
    return treatment === "csv" ? sortedList(text) : text;
  }

  #note(findings: string[], place: string, expected: Json | undefined, got: Json | undefined): void {
    const show = (value: Json | undefined) => (value === undefined ? "nothing" : JSON.stringify(value).slice(0, 420));
    findings.push(`${place}: expected ${show(expected)}, got ${show(got)}`);
  }
}

interface Unordered {
  readonly expected: readonly Json[];
  readonly got: readonly Json[];
  readonly place: string;
  readonly nameOf: (element: Json) => string;
}

const isObject = (value: Json): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isPlain = (value: Json) => value !== null && typeof value !== "object";
const asNumber = (value: Json) => (value === "" ? Number.NaN : Number(value));
const sortedList = (text: string) => text.split(",").toSorted().join(",");
const kindOf = (value: Json) =>
  Array.isArray(value) ? "list" : value === null ? "null" : typeof value === "object" ? "object" : "scalar";

/** Perl's hash order decides in which order several findings come. */
function isSameInAnyOrder(expected: string, got: string): boolean {
  const hasFindings =
    expected.startsWith("invalid format - format error\n") || expected.includes("Parameter verification failed.\n");
  const lines = (text: string) => text.split("\n").toSorted().join("\n");
  return hasFindings && lines(expected) === lines(got);
}

function isKey(name: string, elements: readonly JsonObject[]): boolean {
  return elements.every((element) => {
    const value = element[name];
    return (typeof value === "string" || typeof value === "number") && !generatedKey.test(String(value));
  });
}
