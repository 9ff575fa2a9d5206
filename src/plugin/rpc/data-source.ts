import * as fromWire from "./from-wire.ts";
import type { ProviderHandlers } from "./provider-handlers.ts";
import * as toWire from "./to-wire.ts";

export const dataSource = {
  async validateDataResourceConfig(server, request) {
    const response = await server.validateDataResourceConfig({
      typeName: request.typeName,
      config: fromWire.dynamicValue(request.config),
    });
    return toWire.diagnosed(response);
  },

  async readDataSource(server, request) {
    const response = await server.readDataSource({
      typeName: request.typeName,
      config: fromWire.dynamicValue(request.config),
      clientCapabilities: fromWire.clientCapabilities(request.clientCapabilities),
    });
    return {
      ...toWire.diagnosed(response),
      state: toWire.dynamicValue(response.state),
      deferred: toWire.deferred(response.deferred),
    };
  },
} satisfies Partial<ProviderHandlers>;
