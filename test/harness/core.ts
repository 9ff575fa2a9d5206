import { encode } from "./cty-codec.ts";
import { ManagedResource } from "./managed-resource.ts";
import { diagnose, ResourceCalls, type ResourceSchema, resourceSchema } from "./resource-calls.ts";
import { objectType, parseBlock } from "./schema.ts";
import { schemasOf } from "./schemas.ts";
import type { Type } from "./type.ts";
import { type Input, toValue } from "./value.ts";
import { Walk } from "./walk.ts";
import type { Wire, WireDiagnostic } from "./wire.ts";

interface Schemas {
  readonly provider: Type;
  readonly resources: ReadonlyMap<string, ResourceSchema>;
}

/** By process: connections to the same one have the same schema. */
const asked = new WeakMap<object, Schemas>();

async function askForSchemas(wire: Wire, process: object): Promise<Schemas> {
  const schemas = await schemasOf({ wire, process });
  const { identity_schemas: identities } = await wire.call("GetResourceIdentitySchemas", {});
  const resources = Object.entries(schemas.resource_schemas).map(
    ([name, schema]) => [name, resourceSchema(schema, identities[name])] as const,
  );
  return { provider: objectType(parseBlock(schemas.provider.block)), resources: new Map(resources) };
}

/** Terraform's core as a provider sees it: one connection, its schemas, its resource types. */
export class Core {
  readonly #wire: Wire;
  readonly #provider: Type;
  readonly #schemas: ReadonlyMap<string, ResourceSchema>;
  readonly #resources = new Map<string, ManagedResource>();
  readonly #walk: Walk;

  private constructor(wire: Wire, { provider, resources }: Schemas) {
    this.#wire = wire;
    this.#provider = provider;
    this.#schemas = resources;
    this.#walk = new Walk(wire);
  }

  /** With `process`, further connections to it do not ask for its schema again. */
  static async connect(wire: Wire, process: object = wire): Promise<Core> {
    const schemas = asked.get(process) ?? (await askForSchemas(wire, process));
    asked.set(process, schemas);
    return new Core(wire, schemas);
  }

  async configure(input: Input = {}): Promise<WireDiagnostic[]> {
    const config = { msgpack: encode(this.#provider, toValue(this.#provider, input)) };
    diagnose("ValidateProviderConfig", await this.#wire.call("ValidateProviderConfig", { config }));
    return this.#walk.begin(config);
  }

  get resourceTypes(): string[] {
    return [...this.#schemas.keys()];
  }

  resource(typeName: string): ManagedResource {
    const known = this.#resources.get(typeName);
    if (known) return known;
    const schema = this.#schemas.get(typeName);
    if (!schema) throw new Error(`the provider has no resource ${typeName}`);
    const resource = new ManagedResource(new ResourceCalls(this.#wire, typeName, schema), this.#walk);
    this.#resources.set(typeName, resource);
    return resource;
  }
}
