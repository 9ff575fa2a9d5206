import type { ProviderServer } from "#framework";

/** One provider for one connection, created when the first call needs it. */
export class Instance {
  readonly #create: () => ProviderServer | Promise<ProviderServer>;
  #server: Promise<ProviderServer> | undefined;
  #stopped: Promise<void> | undefined;

  constructor(create: () => ProviderServer | Promise<ProviderServer>) {
    this.#create = create;
  }

  server(): Promise<ProviderServer> {
    this.#server ??= (async () => this.#create())();
    return this.#server;
  }

  /** Aborts its work and ends it, if it was created. */
  stop(): Promise<void> {
    this.#stopped ??= (async () => {
      const server = await this.#server;
      await server?.stop();
      await server?.end?.();
    })();
    return this.#stopped;
  }
}
