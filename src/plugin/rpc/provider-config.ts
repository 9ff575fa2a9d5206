import * as fromWire from "./from-wire.ts";
import type { ProviderHandlers } from "./provider-handlers.ts";
import * as toWire from "./to-wire.ts";

/** The provider block. */
export const providerConfig = {
  async validateProviderConfig(server, request) {
    return toWire.diagnosed(await server.validateProviderConfig({ config: fromWire.dynamicValue(request.config) }));
  },

  async configureProvider(server, request) {
    const response = await server.configureProvider({
      terraformVersion: request.terraformVersion,
      config: fromWire.dynamicValue(request.config),
      clientCapabilities: fromWire.clientCapabilities(request.clientCapabilities),
    });
    return toWire.diagnosed(response);
  },

  /** Ctrl-C. */
  async stopProvider(server) {
    return { Error: await server.stop() };
  },
} satisfies Partial<ProviderHandlers>;
