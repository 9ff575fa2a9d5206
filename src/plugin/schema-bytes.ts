import type { ProviderServer } from "#framework";
import { encodeProviderSchema } from "./rpc/schema.ts";

/** The response to GetProviderSchema, ready to send or to be loaded. */
export type SchemaBytes = Uint8Array | (() => Promise<Uint8Array>);

/** The response to GetProviderSchema: the given bytes, else the provider's schema, encoded once for all connections. */
export function schemaBytesOnce(
  given: SchemaBytes | undefined,
): (server: () => Promise<ProviderServer>) => Promise<Uint8Array> {
  let known: Promise<Uint8Array> | undefined;
  return (server) => {
    known ??= load(given, server).catch((error: unknown) => {
      known = undefined; // the next call tries again
      throw error;
    });
    return known;
  };
}

async function load(given: SchemaBytes | undefined, server: () => Promise<ProviderServer>): Promise<Uint8Array> {
  if (typeof given === "function") return given();
  return given ?? encodeProviderSchema(await server());
}
