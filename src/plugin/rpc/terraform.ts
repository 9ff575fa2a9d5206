import type { Logger, ProviderServer } from "#framework";
import { Provider } from "../gen/tfplugin6.ts";
import type { Handler } from "../grpc/call.ts";
import { action } from "./action.ts";
import { adoption } from "./adoption.ts";
import { bind, reported } from "./bind.ts";
import { dataSource } from "./data-source.ts";
import { ephemeral } from "./ephemeral.ts";
import { providerFunction } from "./function.ts";
import { list } from "./list.ts";
import { providerConfig } from "./provider-config.ts";
import type { ProviderHandlers } from "./provider-handlers.ts";
import { resource } from "./resource.ts";
import { type PreparedAnswers, schema } from "./schema.ts";
import { stateStore } from "./state-store.ts";

const handlers: ProviderHandlers = {
  ...schema,
  ...providerConfig,
  ...resource,
  ...adoption,
  ...dataSource,
  ...providerFunction,
  ...ephemeral,
  ...list,
  ...action,
  ...stateStore,
};

/** Terraform's service, served by one provider; what is prepared is answered without it. */
export function providerMethods(
  server: () => Promise<ProviderServer>,
  log: Logger,
  prepared?: PreparedAnswers,
): [path: string, Handler][] {
  return [...bind(Provider, handlers, server, log), ...(prepared ? preparedMethods(prepared, log) : [])];
}

function preparedMethods(prepared: PreparedAnswers, log: Logger): [path: string, Handler][] {
  return (Object.keys(prepared) as (keyof PreparedAnswers)[]).map((call) => {
    const { path } = Provider[call];
    const handler: Handler = async function* () {
      yield await prepared[call]();
    };
    return [path, reported(handler, path, log)];
  });
}
