import { plainMessage } from "../../text/plain-text.ts";
import * as fromWire from "./from-wire.ts";
import type { ProviderHandlers } from "./provider-handlers.ts";
import * as toWire from "./to-wire.ts";

export const providerFunction = {
  async callFunction(server, request) {
    const { result, error } = await server.callFunction({
      name: request.name,
      arguments: request.arguments.map(fromWire.dynamicValue),
    });
    return {
      result: toWire.dynamicValue(result),
      error: error && { text: plainMessage(error.text), functionArgument: error.argument },
    };
  },
} satisfies Partial<ProviderHandlers>;
