import type { ActionEvent, ActionRequest } from "#framework";
import { plainLine } from "../../text/plain-text.ts";
import type * as wire from "../gen/tfplugin6.ts";
import * as fromWire from "./from-wire.ts";
import type { ProviderHandlers } from "./provider-handlers.ts";
import * as toWire from "./to-wire.ts";

export const action = {
  async validateActionConfig(server, request) {
    const response = await server.validateActionConfig({
      typeName: request.typeName,
      config: fromWire.dynamicValue(request.config),
    });
    return toWire.diagnosed(response);
  },

  async planAction(server, request) {
    const response = await server.planAction(actionRequest(request));
    return { ...toWire.diagnosed(response), deferred: toWire.deferred(response.deferred) };
  },

  async *invokeAction(server, request, signal) {
    for await (const event of server.invokeAction(actionRequest(request), signal)) yield actionEvent(event);
  },
} satisfies Partial<ProviderHandlers>;

function actionRequest(request: wire.PlanActionRequest | wire.InvokeActionRequest): ActionRequest {
  return {
    typeName: request.actionType,
    config: fromWire.dynamicValue(request.config),
    clientCapabilities: fromWire.clientCapabilities(request.clientCapabilities),
  };
}

function actionEvent(event: ActionEvent): wire.InvokeActionEvent {
  if ("progress" in event) return { progress: { message: plainLine(event.progress) } };
  return { completed: { diagnostics: event.completed.map(toWire.diagnostic) } };
}
