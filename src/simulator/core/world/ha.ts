import type { SectionOptions } from "./section.ts";

/** ha/resources.cfg, ha/rules.cfg and what the HA manager has made of them. */
export interface HighAvailability {
  /** By service id, `vm:100`. */
  resources: Record<string, { type: "vm" | "ct"; options: SectionOptions }>;
  /** By rule id, in the order of the file. */
  rules: Record<string, { type: "node-affinity" | "resource-affinity"; options: SectionOptions }>;
  /** What the manager is doing with each service; empty while no manager runs. */
  services: Record<string, HaService>;
  /** Set while the stack is disarmed. */
  disarmed?: "freeze" | "ignore";
}

export interface HaService {
  state: string;
  node: string;
  /** Where a migration or relocation was asked to go. */
  target?: string;
  /** Since when the service's node has been gone. */
  lostAt?: number;
}
