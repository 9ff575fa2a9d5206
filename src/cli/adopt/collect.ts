import type { SchemaAttribute } from "#framework";
import { registry } from "../../registry.ts";
import type { Fields } from "../export/reader.ts";
import type { LocalProvider, Values } from "../local-provider.ts";
import { ProviderProblem } from "../run-command.ts";
import { knownValues } from "./known-values.ts";
import { leftOut } from "./left-out.ts";
import { ResourceNames } from "./names.ts";
import { smallest } from "./smallest.ts";
import { idsIn, isAbsent, reportedOf } from "./sources.ts";
import type { Table } from "./tables.ts";

/** An object that a configuration can take over. */
export interface Adopted {
  readonly type: string;
  readonly name: string;
  readonly importId: string;
  readonly identity: Values;
  /** `Access`, `SDN` */
  readonly area: string;
  /** The smallest configuration. */
  readonly values: Values;
  /** Everything a configuration could say. */
  readonly all: Values;
  /** What the cluster reports in the place of required values that it does not have. */
  readonly reported: string | null;
  /** The table of a resource with `for_each` that it is a row of. */
  readonly table: Table | null;
}

export interface Collected {
  readonly adopted: readonly Adopted[];
  readonly problems: readonly string[];
}

type ListType = keyof typeof registry.listResources;

/** Everything that the caller may see, by type. `progress` hears of each type that has something. */
export async function collect(
  provider: LocalProvider,
  seed: Fields,
  isWanted: (area: string) => boolean,
  progress: (line: string) => void,
): Promise<Collected> {
  const schemas = await provider.schemas();
  const names = new ResourceNames();
  const adopted: Adopted[] = [];
  const problems: string[] = [];
  const types = [...Object.keys(registry.listResources), ...Object.keys(idsIn)].filter(
    (type) => !Object.hasOwn(leftOut, type),
  );
  for (const type of types.sort()) {
    const { area, attributes } = schemas.get(type) ?? { area: "", attributes: [] };
    if (!isWanted(area) || isAbsent(type, seed)) continue;
    const before = adopted.length;
    try {
      const ids = idsIn[type]?.(seed);
      const objects = ids === undefined ? listed(provider, type, problems) : imported(provider, type, ids, problems);
      for await (const found of objects) {
        const { identity, importId } = found;
        const {
          values: all,
          unknown,
          isWritable,
        } = await knownValues(type, await provider.configOf(type, found.state));
        if (unknown.length > 0) problems.push(`${type} ${importId}: ${remark(unknown, isWritable)}`);
        if (!isWritable) continue;
        const own = String(all["name"] ?? all["hostname"] ?? found.name);
        const name = names.of(type, ofNode(identity, own));
        const values = valuesOf(type, attributes, all);
        const reported = reportedOf(type, importId, seed);
        adopted.push({ type, name, identity, importId, area, all, values, reported, table: null });
      }
    } catch (reason) {
      if (!(reason instanceof ProviderProblem)) throw reason;
      problems.push(`${type}: ${sentence(reason)}`);
    }
    if (adopted.length > before) progress(`Read ${adopted.length - before} of ${type}`);
  }
  return { adopted, problems };
}

const remark = (unknown: readonly string[], isWritable: boolean): string => {
  const values = `this version of the provider does not know ${unknown.join(", ")}`;
  return isWritable
    ? `${values}; ${unknown.length === 1 ? "it is" : "they are"} not written, and left alone.`
    : `${values}.`;
};

/** Each node has a `vmbr0`. */
function ofNode(identity: Values, name: string): string {
  const { node, ...others } = identity;
  const isAmbiguous = node !== undefined && Object.keys(others).length > 0 && !name.includes(String(node));
  return isAmbiguous ? `${node}_${name}` : name;
}

/** Guests are recognised by their name and VMID, although a configuration needs neither. */
function valuesOf(type: string, attributes: readonly SchemaAttribute[], all: Values): Values {
  const isGuest = type === "proxmox_vm" || type === "proxmox_container";
  const known = isGuest ? Object.entries(all).filter(([name]) => /^(?:name|hostname|vmid)$/.test(name)) : [];
  return { ...Object.fromEntries(known.filter(([, value]) => value !== null)), ...smallest(attributes, all) };
}

/** The first paragraph; what follows is about calls. */
const sentence = ({ message }: Error): string => message.split("\n")[0] ?? "";

/** Objects by their import ID; one that cannot be read does not hide the others. */
async function* imported(provider: LocalProvider, type: string, ids: readonly string[], problems: string[]) {
  for (const id of ids) {
    try {
      const found = await provider.import(type, id);
      if (found !== null) yield { ...found, name: id, importId: id };
    } catch (reason) {
      if (!(reason instanceof ProviderProblem)) throw reason;
      problems.push(`${type} ${id}: ${sentence(reason)}`);
    }
  }
}

/** Objects that a list resource shows. */
async function* listed(provider: LocalProvider, type: string, problems: string[]) {
  const filters = Object.keys((await registry.listResources[type as ListType]()).attributes);
  let idOf: ((parts: readonly string[]) => string) | undefined;
  for await (const found of provider.list(type, filters, (text) => problems.push(`${type}: ${text}`))) {
    const parts = Object.values(found.identity).map(String);
    idOf ??= await idForm(provider, type, parts);
    yield { ...found, importId: idOf(parts) };
  }
}

const forms: readonly ((parts: readonly string[]) => string)[] = [
  (parts) => parts.join("/"),
  (parts) => [...parts].reverse().join("/"),
];

/** IDs of imports are made of the parts of the identity; the first object shows in which order. */
async function idForm(provider: LocalProvider, type: string, parts: readonly string[]) {
  const [plain = String] = forms;
  if (parts.length === 1) return plain;
  for (const form of forms) {
    const isRight = await provider.import(type, form(parts)).then(
      (found) => found !== null,
      () => false,
    );
    if (isRight) return form;
  }
  return plain;
}
