import type { ProviderServer } from "#framework";
import type { Provider } from "../gen/tfplugin6.ts";
import type { Handlers } from "./bind.ts";

/** One function for each RPC of Terraform's service: translate in, call one framework method, translate out. */
export type ProviderHandlers = Handlers<typeof Provider, ProviderServer>;
