import type { ConfigSection } from "./section.ts";

/** Zones and vnets by id. */
export interface SdnConfig {
  zones: Record<string, ConfigSection>;
  vnets: Record<string, ConfigSection>;
}

/** The configuration below sdn/: what is edited and, after it was applied, what runs. */
export interface Sdn extends SdnConfig {
  /** The state at the last `PUT /cluster/sdn`. */
  running: SdnConfig;
  /** Set while somebody holds the configuration for a longer edit. */
  lockToken?: string;
}
