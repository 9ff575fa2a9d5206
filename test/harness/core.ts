import { encode } from "./cty-codec.ts";
import { ManagedResource } from "./managed-resource.ts";
import { diagnose, ResourceCalls } from "./resource-calls.ts";
import { objectType, parseBlock } from "./schema.ts";
import type { Type } from "./type.ts";
import { type Input, toValue } from "./value.ts";
import { Walk } from "./walk.ts";
import type { Wire } from "./wire.ts";

/** Terraform's core as a provider sees it: one connection, its schemas, its resource types. */
export class Core {
  readonly #wire: Wire;
  readonly #provider: Type;
  readonly #resources: Map<string, ManagedResource>;
  readonly #walk: Walk;

  private constructor(wire: Wire, provider: Type, resources: Map<string, ManagedResource>, walk: Walk) {
    this.#wire = wire;
    this.#provider = provider;
    this.#resources = resources;
    this.#walk = walk;
  }

  static async connect(wire: Wire): Promise<Core> {
    const schemas = await wire.call("GetProviderSchema", {});
    diagnose("GetProviderSchema", schemas);
    const identities = await wire.call("GetResourceIdentitySchemas", {});
    const walk = new Walk(wire);
    const resources = Object.entries(schemas.resource_schemas).map(([name, schema]): [string, ManagedResource] => {
      const calls = new ResourceCalls(wire, name, schema, identities.identity_schemas[name]);
      return [name, new ManagedResource(calls, walk)];
    });
    return new Core(wire, objectType(parseBlock(schemas.provider.block)), new Map(resources), walk);
  }

  async configure(input: Input = {}): Promise<void> {
    const config = { msgpack: encode(this.#provider, toValue(this.#provider, input)) };
    diagnose("ValidateProviderConfig", await this.#wire.call("ValidateProviderConfig", { config }));
    await this.#walk.begin(config);
  }

  get resourceTypes(): string[] {
    return [...this.#resources.keys()];
  }

  resource(typeName: string): ManagedResource {
    const resource = this.#resources.get(typeName);
    if (!resource) throw new Error(`the provider has no resource ${typeName}`);
    return resource;
  }
}
