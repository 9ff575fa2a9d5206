import * as fromWire from "./from-wire.ts";
import type { ProviderHandlers } from "./provider-handlers.ts";
import * as toWire from "./to-wire.ts";

const nothing = new Uint8Array();

/** Values that exist only while Terraform runs. */
export const ephemeral = {
  async validateEphemeralResourceConfig(server, request) {
    const response = await server.validateEphemeralResourceConfig({
      typeName: request.typeName,
      config: fromWire.dynamicValue(request.config),
    });
    return toWire.diagnosed(response);
  },

  async openEphemeralResource(server, request) {
    const response = await server.openEphemeralResource({
      typeName: request.typeName,
      config: fromWire.dynamicValue(request.config),
      clientCapabilities: fromWire.clientCapabilities(request.clientCapabilities),
    });
    return {
      ...toWire.diagnosed(response),
      renewAt: toWire.timestamp(response.renewAt),
      result: toWire.dynamicValue(response.result),
      private: response.private,
      deferred: toWire.deferred(response.deferred),
    };
  },

  async renewEphemeralResource(server, request) {
    const response = await server.renewEphemeralResource({
      typeName: request.typeName,
      private: request.private ?? nothing,
    });
    return {
      ...toWire.diagnosed(response),
      renewAt: toWire.timestamp(response.renewAt),
      private: response.private,
    };
  },

  async closeEphemeralResource(server, request) {
    const response = await server.closeEphemeralResource({
      typeName: request.typeName,
      private: request.private ?? nothing,
    });
    return toWire.diagnosed(response);
  },
} satisfies Partial<ProviderHandlers>;
