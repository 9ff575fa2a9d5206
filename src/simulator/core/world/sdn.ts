import type { ConfigSection } from "./section.ts";

/** What `PUT /cluster/sdn` puts into effect, by id. */
export interface SdnConfig {
  zones: Record<string, ConfigSection>;
  vnets: Record<string, ConfigSection>;
  /** By `<zone>-<network>-<prefix length>`. */
  subnets: Record<string, ConfigSection>;
  controllers: Record<string, ConfigSection>;
  /** Fabrics by id, and their nodes by `<fabric>_<node>`. */
  fabrics: Record<string, ConfigSection>;
}

/** An address that PVE's own IPAM has given away. */
export interface IpamEntry {
  gateway?: 1;
  vmid?: string;
  hostname?: string;
  mac?: string;
}

/** The configuration below sdn/: what is edited and, after it was applied, what runs. */
export interface Sdn extends SdnConfig {
  ipams: Record<string, ConfigSection>;
  dns: Record<string, ConfigSection>;
  /** The state at the last `PUT /cluster/sdn`; version 0 before the first one. */
  running: SdnConfig & { version: number };
  /** sdn/pve-ipam-state.json: by zone, then by CIDR of the subnet, then by address. */
  addresses: Record<string, Record<string, Record<string, IpamEntry>>>;
  /** sdn/mac-cache.json: addresses of a MAC address. */
  macs: Record<string, { ip4?: string; ip6?: string }>;
  /** Set while somebody holds the configuration for a longer edit. */
  lockToken?: string;
}
