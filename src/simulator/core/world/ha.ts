import type { SectionOptions } from "./section.ts";

/** ha/resources.cfg, ha/rules.cfg and the state of the HA manager. */
export interface HighAvailability {
  /** By service id, `vm:100`. */
  resources: Record<string, { type: "vm" | "ct"; options: SectionOptions }>;
  /** By rule id, in the order of the file. */
  rules: Record<string, { type: "node-affinity" | "resource-affinity"; options: SectionOptions }>;
  /** The state of each service in the manager; empty while no manager runs. */
  services: Record<string, HaService>;
  /** Set while the stack is disarmed. */
  disarmed?: "freeze" | "ignore";
}

export interface HaService {
  state: string;
  node: string;
  /** The requested target of a migration or relocation. */
  target?: string;
  /** How often a start has been tried on this node, and the nodes on which all tries have failed. */
  tries?: number;
  failedNodes?: string[];
  /** Time stamp since when the service's node has been offline. */
  lostAt?: number;
}
