import type { ProviderServer } from "#framework";
import { GetProviderSchemaResponse } from "../gen/tfplugin6.ts";
import { encode } from "../protobuf/encode.ts";
import type { ProviderHandlers } from "./provider-handlers.ts";
import { identitySchema, mapValues, providerSchema } from "./schema-to-wire.ts";
import * as toWire from "./to-wire.ts";

/** The schemas of all types. */
export const schema = {
  async getMetadata(server) {
    const response = await server.getMetadata();
    const typeNames = (names: string[]) => names.map((typeName) => ({ typeName }));
    return {
      ...toWire.diagnosed(response),
      serverCapabilities: response.serverCapabilities,
      dataSources: typeNames(response.dataSources),
      resources: typeNames(response.resources),
      functions: response.functions.map((name) => ({ name })),
      ephemeralResources: typeNames(response.ephemeralResources),
      listResources: typeNames(response.listResources),
      stateStores: [],
      actions: typeNames(response.actions),
    };
  },

  async getProviderSchema(server) {
    return providerSchema(await server.getProviderSchema());
  },

  async getResourceIdentitySchemas(server) {
    const response = await server.getResourceIdentitySchemas();
    return { ...toWire.diagnosed(response), identitySchemas: mapValues(response.identitySchemas, identitySchema) };
  },
} satisfies Partial<ProviderHandlers>;

/**
 * The complete response to GetProviderSchema. It is the same for every process of a build and by far the longest, so a
 * build step can create it once and pass it to `serve`.
 */
export async function encodeProviderSchema(server: ProviderServer): Promise<Uint8Array> {
  return encode(GetProviderSchemaResponse, await schema.getProviderSchema(server));
}
