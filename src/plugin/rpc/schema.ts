import type { ProviderServer } from "#framework";
import { Provider } from "../gen/tfplugin6.ts";
import { encode } from "../protobuf/encode.ts";
import type { Message } from "../protobuf/message.ts";
import type { ProviderHandlers } from "./provider-handlers.ts";
import { functionSchema, identitySchema, mapValues, providerSchema } from "./schema-to-wire.ts";
import * as toWire from "./to-wire.ts";

/** The schemas of all types: calls that every process of a build answers alike. */
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

  async getFunctions(server) {
    const response = await server.getFunctions();
    return { ...toWire.diagnosed(response), functions: mapValues(response.functions, functionSchema) };
  },
} satisfies Partial<ProviderHandlers>;

type SchemaCall = keyof typeof schema;

/** Encoded answers to these calls, each loaded on request. */
export type PreparedAnswers = Readonly<Record<SchemaCall, () => Promise<Uint8Array>>>;

/**
 * The answers to these calls, encoded. They are the same for every process of a build, and creating them loads every
 * definition, so a build step creates them once and passes them to `serve`.
 */
export async function encodeAnswers(server: ProviderServer): Promise<Record<SchemaCall, Uint8Array>> {
  const bytes = async (call: SchemaCall) =>
    encode(Provider[call].response as Message<object>, await schema[call](server));
  const calls = Object.keys(schema) as SchemaCall[];
  const answers = calls.map(async (call) => [call, await bytes(call)] as const);
  return Object.fromEntries(await Promise.all(answers)) as Record<SchemaCall, Uint8Array>;
}
