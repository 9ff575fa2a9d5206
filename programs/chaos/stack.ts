import type { Configs } from "./script.ts";
import type { Cut } from "./troubles.ts";

/** Terraform's state of one object. */
export interface Held {
  readonly isTainted: boolean;
  attribute(name: string): unknown;
}

/** The result of a command. */
export interface Result {
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  /** Terraform's rules that the provider broke. */
  readonly violations: readonly string[];
}

/** Terraform with one configuration and one state, real or modelled. */
export interface Stack {
  /** A whole `terraform apply`: refresh, plan, apply. */
  apply(configs: Configs): Promise<Result>;
  /** A `terraform plan`; returns the addresses of the objects that it would change. */
  plan(configs: Configs): Promise<Result & { readonly changes: readonly string[] }>;
  /** Interrupts the running command. */
  cut(who: Cut["who"]): void;
  /** `terraform import`, as the provider's own message describes it. */
  import(address: string, id: string): Promise<Result>;
  /** The state, by address. */
  held(): ReadonlyMap<string, Held>;
  /** Everything that was logged so far. */
  logs(): string;
  close(): Promise<void>;
}

export const nothing: Result = { errors: [], warnings: [], violations: [] };
