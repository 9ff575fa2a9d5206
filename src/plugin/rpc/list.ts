import * as fromWire from "./from-wire.ts";
import type { ProviderHandlers } from "./provider-handlers.ts";
import * as toWire from "./to-wire.ts";

/** `terraform query`. */
export const list = {
  async validateListResourceConfig(server, request) {
    const response = await server.validateListResourceConfig({
      typeName: request.typeName,
      config: fromWire.dynamicValue(request.config),
    });
    return toWire.diagnosed(response);
  },

  async *listResource(server, request, signal) {
    const events = server.listResource(
      {
        typeName: request.typeName,
        config: fromWire.dynamicValue(request.config),
        includeResourceObject: request.includeResourceObject,
        limit: request.limit,
      },
      signal,
    );
    for await (const event of events) {
      yield {
        identity: toWire.identity(event.identity),
        displayName: event.displayName,
        resourceObject: toWire.dynamicValue(event.resourceObject),
        diagnostic: event.diagnostics.map(toWire.diagnostic),
      };
    }
  },
} satisfies Partial<ProviderHandlers>;
