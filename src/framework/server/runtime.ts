import { RecentValues } from "../codec/recent-values.ts";
import type { ProviderDefinition } from "../define/provider-definition.ts";
import { Failure } from "../failure.ts";
import type { Logger } from "../logger.ts";
import type { Attributes } from "../schema/attribute.ts";
import { shortestSecret } from "../schema/secrets.ts";

export type AnyProvider = ProviderDefinition<Attributes, unknown>;

export interface ServerOptions {
  /** The provider's source address in configurations: `registry.terraform.io/namespace/name`. */
  readonly address?: string;
  /** Default: nothing is written. */
  readonly log?: Logger;
  /** Receives every sensitive value on arrival, so that logs can leave it out. */
  readonly onSecret?: (secret: string) => void;
  /** Whether the client is OpenTofu; only called where that makes a difference. Default: false. */
  readonly isOpenTofu?: () => boolean;
  /** Pauses in milliseconds before an object that was just written is looked for again. Default: 15 seconds in all. */
  readonly lookAgainMs?: readonly number[];
}

/** A list may show an object later than it exists: folders on NFS and CephFS are cached, and a cluster agrees in steps. */
const defaultLookAgainMs = [500, 1000, 2000, 4000, 8000];

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} };

/** What persists from one call to the next. */
export class Runtime {
  readonly provider: AnyProvider;
  readonly log: Logger;
  readonly address: string | undefined;
  /** Sensitive values of the provider's own configuration; any message may contain one. */
  readonly secrets = new Set<string>();
  readonly isOpenTofu: () => boolean;
  readonly lookAgainMs: readonly number[];
  readonly values = new RecentValues();
  readonly #onSecret: (secret: string) => void;
  #api: unknown;
  #configuration: "absent" | "unknown" | "known" = "absent";
  #stop = new AbortController();

  constructor(provider: AnyProvider, options: ServerOptions) {
    const { address, log = silent, onSecret = () => {}, isOpenTofu = () => false } = options;
    this.provider = provider;
    this.address = address;
    this.log = log;
    this.isOpenTofu = isOpenTofu;
    this.lookAgainMs = options.lookAgainMs ?? defaultLookAgainMs;
    this.#onSecret = onSecret;
  }

  /** The result of `configure`, or undefined if it failed or has not been called. */
  get api(): unknown {
    return this.#api;
  }

  /** Whether Terraform plans or applies, rather than only validates. */
  get isConfigured(): boolean {
    return this.#configuration !== "absent";
  }

  /** Whether the provider's own configuration depends on something that is not known yet. */
  get isConfigurationUnknown(): boolean {
    return this.#configuration === "unknown" && this.#api === undefined;
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  noteSecrets(secrets: readonly string[]): void {
    secrets.forEach(this.#onSecret);
  }

  conceal(secret: string): void {
    if (secret.length < shortestSecret) return;
    this.secrets.add(secret);
    this.noteSecrets([secret]);
  }

  configured(api: unknown, configuration: "unknown" | "known"): void {
    this.#api = api;
    this.#configuration = configuration;
  }

  /**
   * A process that serves several runs (during debugging, for example) is configured again for each run, and then works
   * again. Tickets of the run before must not accumulate: every call copies the secrets.
   */
  resume(): void {
    this.secrets.clear();
    if (this.#stop.signal.aborted) this.#stop = new AbortController();
  }

  stop(): void {
    this.#stop.abort(new DOMException("Terraform asked the provider to stop.", "AbortError"));
  }

  /** For what cannot be done without the API. */
  requireApi(): unknown {
    if (this.#api !== undefined) return this.#api;
    throw new Failure(
      "Provider is not configured",
      this.#configuration === "unknown"
        ? "The provider's configuration depends on values that are known only after apply. Apply what they depend on first, for example with -target."
        : "Terraform has not configured the provider, so it cannot reach an API.",
    );
  }
}
