import { createServer, type Diagnostic, type ProviderServer } from "#framework";
import { provider } from "../../../src/provider.ts";
import type { Attribute, Body } from "../../harness/schema.ts";
import type { Input } from "../../harness/value.ts";
import { Core, capabilities } from "../framework/core.ts";

/** The provider without a cluster: nothing is configured yet, as in `terraform validate`. */
const server = createServer(provider);
const core = new Core(server);
await core.learn();
const schema = await server.getProviderSchema();

export type Validation = (config: Input) => Promise<Diagnostic[]>;

/** Anything that has a configuration. */
export interface Configurable {
  /** `resources proxmox_vm` */
  readonly name: string;
  readonly type: string;
  readonly body: Body;
  readonly validate: Validation;
}

const kinds = {
  resources: "validateResourceConfig",
  dataSources: "validateDataResourceConfig",
  ephemeralResources: "validateEphemeralResourceConfig",
  listResources: "validateListResourceConfig",
  actions: "validateActionConfig",
} as const satisfies Record<string, keyof ProviderServer>;

export const configurables: readonly Configurable[] = Object.entries(kinds).flatMap(([kind, call]) => {
  const prefix = kind === "resources" ? "" : `${kind}/`;
  const ask = server[call] as (request: object) => Promise<{ diagnostics: Diagnostic[] }>;
  return Object.keys(schema[kind as keyof typeof kinds]).map((type): Configurable => {
    const name = `${prefix}${type}`;
    const validate: Validation = async (config) =>
      (await ask({ typeName: type, config: core.encode(name, config), clientCapabilities: capabilities })).diagnostics;
    return { name: `${kind} ${type}`, type, body: core.body(name), validate };
  });
});

/** One attribute, and a configuration that sets nothing else. */
export interface Place {
  /** As a user writes the place. */
  readonly path: string;
  readonly wrap: (value: Input) => Input;
  readonly attribute: Attribute;
}

export const isReadOnly = ({ required, optional }: Attribute): boolean => !required && !optional;

/** Every attribute, at any depth; not those inside of a read-only one. */
export function placesIn({ attributes }: Body): Place[] {
  return Object.entries(attributes).flatMap(([name, attribute]): Place[] => {
    const own = { path: name, wrap: (value: Input) => ({ [name]: value }), attribute };
    const { nested } = attribute;
    if (nested === undefined || isReadOnly(attribute)) return [own];
    const step = { single: "", map: '["x0"]', list: "[0]", set: "" }[nested.nesting];
    const around = (value: Input): Input =>
      nested.nesting === "single" ? value : nested.nesting === "map" ? { x0: value } : [value];
    const inside = placesIn(nested).map(
      (inner): Place => ({
        path: `${name}${step}.${inner.path}`,
        wrap: (value) => ({ [name]: around(inner.wrap(value)) }),
        attribute: inner.attribute,
      }),
    );
    return [own, ...inside];
  });
}

/** Some value of the type. */
export function example(type: Attribute["type"]): Input {
  switch (type.kind) {
    case "string":
      return "stopped";
    case "number":
      return 7;
    case "bool":
      return true;
    case "map":
      return { x0: example(type.element) };
    case "list":
    case "set":
      return [example(type.element)];
    default:
      return {};
  }
}
