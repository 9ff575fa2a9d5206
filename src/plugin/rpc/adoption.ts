import * as fromWire from "./from-wire.ts";
import type { ProviderHandlers } from "./provider-handlers.ts";
import * as toWire from "./to-wire.ts";

/** State from elsewhere: an import, an older schema, another resource type; and the configuration for it. */
export const adoption = {
  async importResourceState(server, request) {
    const response = await server.importResourceState({
      typeName: request.typeName,
      id: request.id,
      clientCapabilities: fromWire.clientCapabilities(request.clientCapabilities),
      ...fromWire.present({ identity: fromWire.identity(request.identity) }),
    });
    return {
      ...toWire.diagnosed(response),
      importedResources: response.imported.map((imported) => ({
        typeName: imported.typeName,
        state: toWire.dynamicValue(imported.state),
        private: imported.private,
        identity: toWire.identity(imported.identity),
      })),
      deferred: toWire.deferred(response.deferred),
    };
  },

  async upgradeResourceState(server, request) {
    const response = await server.upgradeResourceState({
      typeName: request.typeName,
      version: request.version,
      raw: fromWire.rawState(request.rawState),
    });
    return { ...toWire.diagnosed(response), upgradedState: toWire.dynamicValue(response.upgradedState) };
  },

  async upgradeResourceIdentity(server, request) {
    const response = await server.upgradeResourceIdentity({
      typeName: request.typeName,
      version: request.version,
      raw: fromWire.rawState(request.rawIdentity),
    });
    return { ...toWire.diagnosed(response), upgradedIdentity: toWire.identity(response.upgradedIdentity) };
  },

  async moveResourceState(server, request) {
    const response = await server.moveResourceState({
      sourceProviderAddress: request.sourceProviderAddress,
      sourceTypeName: request.sourceTypeName,
      sourceSchemaVersion: request.sourceSchemaVersion,
      sourceState: fromWire.rawState(request.sourceState),
      sourcePrivate: request.sourcePrivate,
      targetTypeName: request.targetTypeName,
      ...(request.sourceIdentity && { sourceIdentity: fromWire.rawState(request.sourceIdentity) }),
    });
    return {
      ...toWire.diagnosed(response),
      targetState: toWire.dynamicValue(response.targetState),
      targetPrivate: response.targetPrivate,
      targetIdentity: toWire.identity(response.targetIdentity),
    };
  },

  async generateResourceConfig(server, request) {
    const response = await server.generateResourceConfig({
      typeName: request.typeName,
      state: fromWire.dynamicValue(request.state),
    });
    return { ...toWire.diagnosed(response), config: toWire.dynamicValue(response.config) };
  },
} satisfies Partial<ProviderHandlers>;
