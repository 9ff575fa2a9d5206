import type { Format } from "../schema/format.ts";
import type { PropertyFormat } from "../schema/property-string.ts";
import type { Properties, Schema } from "../schema/schema.ts";
import type { Endpoint } from "./endpoint.ts";
import type { Check, Permissions } from "./permission.ts";

type Described = Record<string, unknown>;

interface Branch {
  readonly path: string;
  readonly text: string;
  readonly info: Described;
  readonly children: Map<string, Branch>;
}

/**
 * The script of the API viewer that every host serves: the tree of its API, in the form of pve-docs `extractapi.pl`.
 * Parameters of all types of an object are listed together, and there are no sentences.
 */
export function apiDescription(endpoints: readonly Endpoint[]): string {
  const top: Branch["children"] = new Map();
  for (const endpoint of endpoints) {
    const branch = branchFor(top, endpoint.path);
    if (branch !== undefined) branch.info[endpoint.method] = methodOf(endpoint);
  }
  return `const apiSchema = ${JSON.stringify(shown(top), null, 3)}\n;\n\nlet viewer = { schema: apiSchema };\n`;
}

/** The root of the tree itself is not in it. */
function branchFor(top: Branch["children"], path: string): Branch | undefined {
  let children = top;
  let branch: Branch | undefined;
  for (const text of path.split("/").filter((part) => part !== "")) {
    const next: Branch = children.get(text) ?? {
      ...{ path: `${branch?.path ?? ""}/${text}`, text, info: {} },
      children: new Map(),
    };
    children.set(text, next);
    branch = next;
    children = next.children;
  }
  return branch;
}

function shown(children: Branch["children"]): Described[] {
  return [...children.values()].map(({ path, text, info, children: below }) => ({
    ...(below.size === 0 ? {} : { children: shown(below) }),
    ...(Object.keys(info).length === 0 ? {} : { info }),
    leaf: below.size === 0 ? 1 : 0,
    path,
    text,
  }));
}

function methodOf(endpoint: Endpoint): Described {
  const { method, proxyTo, permissions, parameters } = endpoint;
  return {
    allowtoken: endpoint.allowToken === false ? 0 : 1,
    method,
    parameters: {
      ...(endpoint.additionalProperties ? {} : { additionalProperties: 0 }),
      properties: propertiesOf(parameters),
    },
    ...(permissions === undefined ? {} : { permissions: permissionsOf(permissions) }),
    ...(endpoint.protected ? { protected: 1 } : {}),
    ...(proxyTo === undefined ? {} : { proxyto: proxyTo }),
  };
}

/** A family of options, `net0` and `net1`, is one entry: `net[n]`. */
function propertiesOf(properties: Properties): Described {
  const isFamily = (base: string) => `${base}0` in properties && `${base}1` in properties;
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => {
      const base = /^(.*?)\d+$/.exec(name)?.[1];
      return [base !== undefined && isFamily(base) ? `${base}[n]` : name, schemaOf(schema)];
    }),
  );
}

function schemaOf(schema: Schema): Described {
  const { optional, default_key: defaultKey, ...rules } = schema as Schema & { readonly format?: Format };
  const flags = { ...(optional ? { optional: 1 } : {}), ...(defaultKey ? { default_key: 1 } : {}) };
  const { format, ...plain } = rules;
  const inside =
    schema.type === "array"
      ? { items: schemaOf(schema.items) }
      : schema.type === "object"
        ? { properties: propertiesOf(schema.properties) }
        : {};
  return { ...plain, ...inside, ...flags, ...(format === undefined ? {} : formatOf(format)) };
}

function formatOf(format: Format): Described {
  const properties = "properties" in format ? propertiesOf((format as PropertyFormat).properties) : undefined;
  if (format.name === undefined) return { format: properties };
  return { format: format.name, ...(properties === undefined ? {} : { "x-format-schema": properties }) };
}

const permissionsOf = (permissions: Permissions): Described =>
  "check" in permissions ? { check: checkOf(permissions.check) } : { user: permissions.user };

/** Options of a check follow it as names and values. */
function checkOf(check: Check): unknown[] {
  if (check[0] === "and" || check[0] === "or") return [check[0], ...(check.slice(1) as Check[]).map(checkOf)];
  return check.flatMap((part) =>
    typeof part === "object" && !Array.isArray(part)
      ? Object.entries(part).flatMap(([name, value]) => [name, value === true ? 1 : value])
      : [part],
  );
}
