import type { ProviderDefinition } from "../define/provider-definition.ts";
import type { Attributes } from "../schema/attribute.ts";
import type { ProviderServer } from "../server.ts";
import { actionCalls } from "./action-calls.ts";
import { dataSourceCalls } from "./data-source-calls.ts";
import { ephemeralCalls } from "./ephemeral-calls.ts";
import { functionCalls } from "./function-calls.ts";
import { listCalls } from "./list-calls.ts";
import { Managed } from "./managed.ts";
import { providerCalls } from "./provider-calls.ts";
import { Registry } from "./registry.ts";
import { resourceApplyCalls } from "./resource-apply.ts";
import { resourceConfigCalls } from "./resource-config.ts";
import { resourcePlanCalls } from "./resource-plan.ts";
import { resourceReadCalls } from "./resource-read.ts";
import { resourceStateCalls } from "./resource-state.ts";
import { type AnyProvider, Runtime, type ServerOptions } from "./runtime.ts";
import { schemaCalls } from "./schema-calls.ts";

/** Serves a provider's definition to Terraform. */
export function createServer<A extends Attributes, Api>(
  provider: ProviderDefinition<A, Api>,
  options: ServerOptions = {},
): ProviderServer {
  const runtime = new Runtime(provider as unknown as AnyProvider, options);
  const resources = Registry.of(runtime, "resource", runtime.provider.resources, (one) => new Managed(one));
  return {
    ...schemaCalls(runtime),
    ...providerCalls(runtime),
    ...resourceConfigCalls(resources),
    ...resourceStateCalls(resources),
    ...resourceReadCalls(resources),
    ...resourcePlanCalls(resources),
    ...resourceApplyCalls(resources),
    ...dataSourceCalls(runtime),
    ...functionCalls(runtime),
    ...ephemeralCalls(runtime),
    ...listCalls(runtime),
    ...actionCalls(runtime),
  };
}
