import { type Api, type ApiMethod, callKey, type Parameter, type Parameters } from "./api-method.ts";
import type { KnownApi } from "./known-api.ts";
import { type AttributeNeeds, isIn, type TypeNeeds } from "./needs.ts";

/** What is asked about a resource type. */
export interface Wanted {
  readonly needs: TypeNeeds;
  /** Attributes that the configuration writes, each with the plain texts that it gives them. */
  readonly written: ReadonlyMap<string, ReadonlySet<string>>;
}

/** What a host does not have of a type: calls, an attribute, or a value of it. */
export interface Missing {
  readonly type: string;
  readonly attribute?: string;
  readonly value?: string;
  readonly calls: readonly string[];
  /** Without it, the configuration cannot be applied. */
  readonly isNeeded: boolean;
  readonly since?: string;
}

export interface Change {
  readonly call: string;
  readonly parameter?: string;
  /** `type`, `maximum`, `values`, `privileges` … */
  readonly what: string;
  readonly known: string;
  readonly host: string;
}

export interface Unknown {
  readonly call: string;
  readonly parameter?: string;
  readonly value?: string;
}

export interface Comparison {
  readonly missing: readonly Missing[];
  /** Parameters that the host requires and this provider does not send. */
  readonly demanded: readonly Unknown[];
  readonly changed: readonly Change[];
  readonly unknown: readonly Unknown[];
  /** Privileges that the host does not have; they are never asked for. */
  readonly goneFrom: readonly string[];
}

/** Compares what a host describes with what the provider needs and knows. */
export function compare(host: Api, known: KnownApi, wanted: readonly Wanted[], isWhole: boolean): Comparison {
  const used = new Set(wanted.flatMap(({ needs }) => needs.calls.map(callKey)));
  const both = [...used].flatMap((key) => {
    const [ours, theirs] = [known.api.get(key), host.get(key)];
    return ours && theirs ? [{ ours, theirs }] : [];
  });
  const news = isWhole ? [...host].filter(([key]) => !known.api.has(key)).map(([, { call }]) => ({ call })) : [];
  const named = (api: Api) => new Set([...api.values()].flatMap(({ privileges }) => privileges));
  const theirs = named(host);
  return {
    missing: wanted
      .flatMap((one) => missingOf(host, known, one))
      .sort((a, b) => Number(b.isNeeded) - Number(a.isNeeded)),
    demanded: both.flatMap(({ ours, theirs }) => demandedBy(ours, theirs)),
    changed: both.flatMap(({ ours, theirs }) => changesOf(ours, theirs)),
    unknown: [...news, ...both.flatMap(({ ours, theirs }) => unknownIn(ours.parameters, theirs.parameters, ours.call))],
    goneFrom: [...named(known.api)].filter((privilege) => !theirs.has(privilege)).sort(),
  };
}

function missingOf(host: Api, known: KnownApi, { needs, written }: Wanted): Missing[] {
  const { type, calls, attributes } = needs;
  const absent = calls.filter((call) => !host.has(callKey(call)));
  const since = absent.map((call) => known.since(call)).find((one) => one !== undefined);
  const isServed = ({ places }: AttributeNeeds) => places.some(({ call }) => host.has(callKey(call)));
  const judged = attributes.filter(isServed);
  const gone = judged.filter(({ places }) => !places.some((place) => isIn(host, place)));
  const isWritten = (path: string) => [...written.keys()].some((one) => isAt(one, path));
  return [
    ...(absent.length === 0 ? [] : [{ type, calls: absent, isNeeded: true, ...(since && { since }) }]),
    ...grouped(gone, judged).map(({ path, all }) => {
      const first = all.flatMap(({ places }) => places).map(({ call, ...place }) => known.since(call, place));
      return {
        type,
        attribute: path,
        calls: [...new Set(all.flatMap(({ places }) => places.map(({ call }) => call)))],
        isNeeded: all.some((one) => one.isRequired || isWritten(one.path)),
        ...(first[0] && { since: first[0] }),
      };
    }),
    ...judged.filter((one) => !gone.includes(one)).flatMap((one) => missingValues(host, known, type, one, written)),
  ];
}

/** Texts of the configuration that the host does not accept. */
function missingValues(
  host: Api,
  known: KnownApi,
  type: string,
  { path, places }: AttributeNeeds,
  written: Wanted["written"],
): Missing[] {
  const texts = [...written].flatMap(([one, values]) => (isAt(one, path) ? [...values] : []));
  const here = places.filter((place) => isIn(host, place));
  return texts.flatMap((value) => {
    const accepts = (api: Api) => here.some((place) => valuesAt(api, place)?.includes(value) ?? true);
    if (accepts(host) || !accepts(known.api)) return [];
    const since = here.map(({ call, ...place }) => known.since(call, { ...place, value })).find(Boolean);
    const calls = here.map(({ call }) => call);
    return [{ type, attribute: path, value, calls, isNeeded: true, ...(since && { since }) }];
  });
}

function valuesAt(api: Api, { call, parameter, key }: AttributeNeeds["places"][number]): readonly string[] | undefined {
  const found = api.get(callKey(call))?.parameters.get(parameter);
  return (key === undefined ? found : found?.keys.get(key))?.values;
}

/** `networks.net0.bridge` is `networks.*.bridge`, and so is `networks.**`. */
function isAt(written: string, path: string): boolean {
  const [mine, theirs] = [written.split("."), path.split(".")];
  const isAll = mine.at(-1) === "**";
  const named = isAll ? mine.slice(0, -1) : mine;
  const isSame = named.every((part, at) => theirs[at] === "*" || theirs[at] === part);
  return isSame && (isAll ? named.length <= theirs.length : named.length === theirs.length);
}

/** An object of which nothing is there is named once. */
function grouped(gone: readonly AttributeNeeds[], judged: readonly AttributeNeeds[]) {
  const groups = new Map<string, AttributeNeeds[]>();
  for (const one of gone) {
    const parts = one.path.split(".");
    const prefixes = parts.map((_, at) => parts.slice(0, at + 1).join("."));
    const isBelow = (path: string, prefix: string) => `${path}.`.startsWith(`${prefix}.`);
    const isAllGone = (prefix: string) => judged.every((other) => !isBelow(other.path, prefix) || gone.includes(other));
    const path = prefixes.find(isAllGone) ?? one.path;
    groups.set(path, [...(groups.get(path) ?? []), one]);
  }
  return [...groups].map(([path, all]) => ({ path, all }));
}

const demandedBy = (ours: ApiMethod, theirs: ApiMethod): Unknown[] =>
  [...theirs.parameters]
    .filter(
      ([name, { isRequired }]) => isRequired === true && !ours.parameters.has(name) && !isPlace(theirs.call, name),
    )
    .map(([parameter]) => ({ call: ours.call, parameter }));

/** Places of a path may have any name. */
const isPlace = (call: string, name: string): boolean => call.includes(`{${name}}`);

function changesOf(ours: ApiMethod, theirs: ApiMethod): Change[] {
  const changed = parameterChanges(ours.parameters, theirs.parameters, ours.call, "");
  if (ours.permission === theirs.permission) return changed;
  return [...changed, { call: ours.call, what: "permission", known: ours.permission, host: theirs.permission }];
}

function parameterChanges(ours: Parameters, theirs: Parameters, call: string, prefix: string): Change[] {
  return [...ours].flatMap(([name, known]) => {
    const host = theirs.get(name);
    if (host === undefined) return [];
    const at = { call, parameter: `${prefix}${name}` };
    const differing = rulesOf(known, host).filter((one) => !isSameRule(one.known, one.host));
    return [
      ...differing.map((one) => ({ ...at, ...one })),
      ...parameterChanges(known.keys, host.keys, call, `${at.parameter}.`),
    ];
  });
}

/** A list whose items one of both does not describe is the same list. */
const isSameRule = (one: string, other: string): boolean =>
  one === other ||
  (one === "array" && other.startsWith("array of ")) ||
  (other === "array" && one.startsWith("array of "));

/** The rules that both have, side by side. Additional values are no change of what is known. */
function rulesOf(known: Parameter, host: Parameter): Omit<Change, "call" | "parameter">[] {
  const names = [...new Set([...known.rules.keys(), ...host.rules.keys()])];
  const lost = known.values?.filter((value) => host.values !== undefined && !host.values.includes(value)) ?? [];
  const required = (one: Parameter) => (one.isRequired ? "required" : "optional");
  const isComparable = known.isRequired !== undefined && host.isRequired !== undefined;
  return [
    { what: "type", known: known.type, host: host.type },
    ...names.map((what) => ({ what, known: known.rules.get(what) ?? "none", host: host.rules.get(what) ?? "none" })),
    ...(isComparable ? [{ what: "presence", known: required(known), host: required(host) }] : []),
    ...(lost.length === 0 ? [] : [{ what: "values", known: lost.join(", "), host: "not accepted" }]),
  ];
}

function unknownIn(ours: Parameters, theirs: Parameters, call: string, prefix = ""): Unknown[] {
  return [...theirs].flatMap(([name, host]) => {
    const parameter = `${prefix}${name}`;
    const known = ours.get(name);
    if (known === undefined) return isPlace(call, name) ? [] : [{ call, parameter }];
    const values = host.values?.filter((value) => known.values !== undefined && !known.values.includes(value)) ?? [];
    return [
      ...values.map((value) => ({ call, parameter, value })),
      // Where no key is known, the format is not described as keys.
      ...(known.keys.size === 0 ? [] : unknownIn(known.keys, host.keys, call, `${parameter}.`)),
    ];
  });
}
