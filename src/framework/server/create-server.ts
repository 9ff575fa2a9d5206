import type { ProviderDefinition } from "../define/provider-definition.ts";
import type { Logger } from "../logger.ts";
import type { Attributes } from "../schema/attribute.ts";
import type { ProviderServer } from "../server.ts";

export interface ServerOptions {
  /** Default: nothing is written anywhere. */
  readonly log?: Logger;
  /** Told every sensitive value as soon as it arrives, so that logs can leave it out. */
  readonly onSecret?: (secret: string) => void;
}

/** Makes a provider's definition answer Terraform. */
export function createServer<A extends Attributes, Api>(
  _provider: ProviderDefinition<A, Api>,
  _options: ServerOptions = {},
): ProviderServer {
  throw new Error("not built yet");
}
