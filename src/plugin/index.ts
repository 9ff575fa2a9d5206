/**
 * Terraform's plugin protocol 6: the handshake, mutual TLS, the calls and the end of a provider process. It translates
 * and decides nothing.
 */
export { isStartedByTerraform } from "./handshake.ts";
export { isStartedByOpenTofu } from "./opentofu.ts";
export { encodeAnswers, type PreparedAnswers } from "./rpc/schema.ts";
export { type ServeOptions, serve } from "./serve.ts";
