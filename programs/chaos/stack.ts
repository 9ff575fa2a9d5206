import type { Configs } from "./script.ts";
import type { Cut } from "./troubles.ts";

/** What Terraform knows of one VM. */
export interface Held {
  readonly vmid: number;
  readonly isTainted: boolean;
}

/** How a command went. */
export interface Result {
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  /** Rules of Terraform's that the provider broke. */
  readonly violations: readonly string[];
}

/** Terraform with one configuration and one state, whether the real one or the model of it. */
export interface Stack {
  /** A whole `terraform apply`: refresh, plan, apply. */
  apply(configs: Configs): Promise<Result>;
  /** A `terraform plan`; returns the names of what it would change. */
  plan(configs: Configs): Promise<Result & { readonly changes: readonly string[] }>;
  /** Cuts off the command that is running. */
  cut(who: Cut["who"]): void;
  /** `terraform import`, as the provider's own message says it. */
  import(name: string, vmid: number): Promise<Result>;
  /** The state, by name. */
  held(): ReadonlyMap<string, Held>;
  /** Everything that was logged so far. */
  logs(): string;
  close(): Promise<void>;
}

export const nothing: Result = { errors: [], warnings: [], violations: [] };
