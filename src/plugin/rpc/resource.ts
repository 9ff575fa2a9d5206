import * as fromWire from "./from-wire.ts";
import type { ProviderHandlers } from "./provider-handlers.ts";
import * as toWire from "./to-wire.ts";

/** The life cycle of a managed resource. */
export const resource = {
  async validateResourceConfig(server, request) {
    const response = await server.validateResourceConfig({
      typeName: request.typeName,
      config: fromWire.dynamicValue(request.config),
      clientCapabilities: fromWire.clientCapabilities(request.clientCapabilities),
    });
    return toWire.diagnosed(response);
  },

  async readResource(server, request) {
    const response = await server.readResource({
      typeName: request.typeName,
      currentState: fromWire.dynamicValue(request.currentState),
      private: request.private,
      clientCapabilities: fromWire.clientCapabilities(request.clientCapabilities),
      ...fromWire.present({ currentIdentity: fromWire.identity(request.currentIdentity) }),
    });
    return {
      ...toWire.diagnosed(response),
      newState: toWire.dynamicValue(response.newState),
      private: response.private,
      deferred: toWire.deferred(response.deferred),
      newIdentity: toWire.identity(response.newIdentity),
    };
  },

  async planResourceChange(server, request) {
    const response = await server.planResourceChange({
      typeName: request.typeName,
      priorState: fromWire.dynamicValue(request.priorState),
      proposedNewState: fromWire.dynamicValue(request.proposedNewState),
      config: fromWire.dynamicValue(request.config),
      priorPrivate: request.priorPrivate,
      plannedPrivate: request.plannedPrivate,
      clientCapabilities: fromWire.clientCapabilities(request.clientCapabilities),
      ...fromWire.present({ priorIdentity: fromWire.identity(request.priorIdentity) }),
    });
    return {
      ...toWire.diagnosed(response),
      plannedState: toWire.dynamicValue(response.plannedState),
      requiresReplace: response.requiresReplace.map(toWire.attributePath),
      plannedPrivate: response.plannedPrivate,
      legacyTypeSystem: false,
      deferred: toWire.deferred(response.deferred),
      plannedIdentity: toWire.identity(response.plannedIdentity),
    };
  },

  async applyResourceChange(server, request) {
    const response = await server.applyResourceChange({
      typeName: request.typeName,
      priorState: fromWire.dynamicValue(request.priorState),
      plannedState: fromWire.dynamicValue(request.plannedState),
      config: fromWire.dynamicValue(request.config),
      plannedPrivate: request.plannedPrivate,
      ...fromWire.present({ plannedIdentity: fromWire.identity(request.plannedIdentity) }),
    });
    return {
      ...toWire.diagnosed(response),
      newState: toWire.dynamicValue(response.newState),
      private: response.private,
      legacyTypeSystem: false,
      newIdentity: toWire.identity(response.newIdentity),
    };
  },
} satisfies Partial<ProviderHandlers>;
