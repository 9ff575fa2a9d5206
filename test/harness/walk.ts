import { diagnose } from "./resource-calls.ts";
import type { Wire, WireDiagnostic } from "./wire.ts";

/**
 * Terraform plans in one process of the provider and applies in another. Here both are one process, which is configured
 * again when the first change after a plan is applied: what it has read while planning must not be needed any more.
 * Changes that run beside plans, which Terraform never does, stay in one process.
 */
export class Walk {
  readonly #wire: Wire;
  #config: { msgpack: Uint8Array } | undefined;
  #hasPlanned = false;
  #hasFailed = false;
  #running = 0;
  #configured: Promise<unknown> = Promise.resolve();

  constructor(wire: Wire) {
    this.#wire = wire;
  }

  /** Returns the warnings. */
  begin(config: { msgpack: Uint8Array }): Promise<WireDiagnostic[]> {
    this.#config = config;
    return this.#configure(config);
  }

  plan<T>(work: () => Promise<T>): Promise<T> {
    const during = this.#during(work, this.#hasFailed);
    this.#hasPlanned = true;
    return during;
  }

  apply<T>(work: () => Promise<T>): Promise<T> {
    return this.#during(work, this.#hasPlanned || this.#hasFailed);
  }

  async #during<T>(work: () => Promise<T>, isNext: boolean): Promise<T> {
    if (isNext && this.#running === 0 && this.#config) this.#configured = this.#configure(this.#config);
    this.#running += 1;
    try {
      await this.#configured;
      return await work();
    } finally {
      this.#running -= 1;
    }
  }

  async #configure(config: { msgpack: Uint8Array }): Promise<WireDiagnostic[]> {
    this.#hasPlanned = false;
    this.#hasFailed = true;
    const client_capabilities = { write_only_attributes_allowed: true };
    const request = { terraform_version: "1.15.0", config, client_capabilities };
    const warnings = diagnose("ConfigureProvider", await this.#wire.call("ConfigureProvider", request));
    this.#hasFailed = false;
    return warnings;
  }
}
