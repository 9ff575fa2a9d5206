import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

/** A property in the API description that `pvesh`'s documentation viewer ships (api-schema.json.gz). */
export interface PublishedSchema {
  readonly type?: string;
  readonly optional?: number | string;
  readonly format?: string | Readonly<Record<string, PublishedSchema>>;
  readonly "x-format-schema"?: Readonly<Record<string, PublishedSchema>>;
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
  readonly items?: PublishedSchema;
}

export interface PublishedParameters {
  readonly properties?: Readonly<Record<string, PublishedSchema>>;
  readonly allOf?: readonly PublishedParameters[];
  readonly oneOf?: readonly PublishedParameters[];
  readonly "type-property"?: string;
  readonly "type-property-schema"?: PublishedSchema;
}

export interface PublishedMethod {
  readonly parameters?: PublishedParameters;
  readonly permissions?: { readonly user?: string; readonly check?: unknown };
  readonly protected?: number;
  readonly proxyto?: string | null;
  readonly allowtoken?: number;
}

interface PublishedPath {
  readonly path: string;
  readonly info?: Readonly<Record<string, PublishedMethod>>;
  readonly children?: readonly PublishedPath[];
}

/** Where the description may lie: it belongs to the Proxmox project and is not part of this repository. */
function descriptionFile(): string | undefined {
  const candidates = [
    process.env["PVE9_SCHEMA"],
    process.env["PVE9_RECORDINGS"] && join(process.env["PVE9_RECORDINGS"], "api-schema.json.gz"),
    join(import.meta.dirname, "../../../../shared/pve9/api-schema.json.gz"),
  ];
  return candidates.find((file) => file !== undefined && existsSync(file));
}

/** `METHOD /path` → method; undefined if the description is not at hand. */
export function readApiDescription(): ReadonlyMap<string, PublishedMethod> | undefined {
  const file = descriptionFile();
  if (file === undefined) {
    return undefined;
  }
  const methods = new Map<string, PublishedMethod>();
  const collect = (paths: readonly PublishedPath[]) => {
    for (const { path, info, children } of paths) {
      for (const [method, description] of Object.entries(info ?? {})) {
        methods.set(`${method} ${path}`, description);
      }
      collect(children ?? []);
    }
  };
  collect(JSON.parse(gunzipSync(readFileSync(file)).toString("utf8")) as PublishedPath[]);
  return methods;
}
