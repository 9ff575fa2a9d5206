import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Facts about the API of Proxmox VE: every method with its parameters, their types and bounds, and who may call it.
 * `api.jsonl` has one method per line and is written by `npm run facts`; VERSION names the release it describes.
 * `undeclared.jsonl` has parameters that a call takes although its description does not name them, `since.jsonl` what came
 * after 9.0 and with which version of pve-manager.
 */
export interface ParameterFacts {
  readonly type?: string;
  readonly optional?: number | string;
  readonly format?: string | Readonly<Record<string, ParameterFacts>>;
  readonly "x-format-schema"?: Readonly<Record<string, ParameterFacts>>;
  readonly pattern?: string;
  readonly enum?: readonly string[] | null;
  readonly minimum?: number | string;
  readonly maximum?: number | string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly requires?: string;
  readonly default_key?: number;
  readonly alias?: string;
  readonly keyAlias?: string;
  readonly items?: ParameterFacts;
  /** Variants by the value of another parameter, which `type-property` names. */
  readonly oneOf?: readonly ParameterFacts[];
  readonly "instance-types"?: readonly string[];
}

export interface ParametersFacts {
  readonly properties?: Readonly<Record<string, ParameterFacts>>;
  readonly allOf?: readonly ParametersFacts[];
  readonly oneOf?: readonly ParametersFacts[];
  readonly "type-property"?: string;
  readonly "type-property-schema"?: ParameterFacts;
}

export interface MethodFacts {
  readonly method: string;
  readonly path: string;
  readonly parameters?: ParametersFacts;
  readonly permissions?: { readonly user?: string; readonly check?: unknown };
  readonly protected?: number;
  readonly proxyto?: string | null;
  readonly allowtoken?: number;
}

function readLines<T>(file: string): T[] {
  const lines = readFileSync(join(import.meta.dirname, file), "utf8").split("\n");
  return lines.filter(Boolean).map((line) => JSON.parse(line) as T);
}

/** Facts by `METHOD /path`. */
export function readFacts(): ReadonlyMap<string, MethodFacts> {
  const methods = readLines<MethodFacts>("api.jsonl");
  return new Map(methods.map((facts) => [`${facts.method} ${facts.path}`, facts]));
}

/** Parameters that a call takes besides the declared ones, by `METHOD /path`. */
export function readUndeclared(): ReadonlyMap<string, readonly string[]> {
  const rows = readLines<{ method: string; path: string; properties: object }>("undeclared.jsonl");
  return new Map(rows.map(({ method, path, properties }) => [`${method} ${path}`, Object.keys(properties)]));
}

/** A path with all below it, a parameter of it (`parameter/member` of a property string), or one value of that. */
export interface AdditionFacts {
  readonly since: string;
  readonly path: string;
  readonly parameter?: string;
  readonly value?: string;
}

export const readAdditions = (): readonly AdditionFacts[] => readLines<AdditionFacts>("since.jsonl");
