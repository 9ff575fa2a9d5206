/** Terraform's plugin protocol 6: how a provider is found, trusted, asked and ended. It translates and decides nothing. */
export { isStartedByTerraform } from "./handshake.ts";
export { isStartedByOpenTofu } from "./opentofu.ts";
export { encodeProviderSchema } from "./rpc/schema.ts";
export { type ServeOptions, serve } from "./serve.ts";
