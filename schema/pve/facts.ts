import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Facts about the API of Proxmox VE: every method with its parameters, their types and bounds, and who may call it.
 * `api.jsonl` has one method per line and is written by `npm run facts`; VERSION names the release it describes.
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

/** Facts by `METHOD /path`. */
export function readFacts(): ReadonlyMap<string, MethodFacts> {
  const lines = readFileSync(join(import.meta.dirname, "api.jsonl"), "utf8")
    .split("\n")
    .filter(Boolean);
  const methods = lines.map((line) => JSON.parse(line) as MethodFacts);
  return new Map(methods.map((facts) => [`${facts.method} ${facts.path}`, facts]));
}
