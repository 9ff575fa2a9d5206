import type { ConfigSection } from "./section.ts";

/** The configuration below sdn/: what is edited and, after it was applied, what runs. */
export interface Sdn {
  zones: Record<string, ConfigSection>;
  vnets: Record<string, ConfigSection>;
  /** By `<zone>-<network>-<mask>`. */
  subnets: Record<string, ConfigSection>;
  /** The state at the last `PUT /cluster/sdn`. */
  running: {
    zones: Record<string, ConfigSection>;
    vnets: Record<string, ConfigSection>;
    subnets: Record<string, ConfigSection>;
  };
}
