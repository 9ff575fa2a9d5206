import type { ConfigSection } from "./section.ts";

/** The configuration that `PUT /cluster/sdn` applies, by id. */
export interface SdnConfig {
  zones: Record<string, ConfigSection>;
  vnets: Record<string, ConfigSection>;
  /** By `<zone>-<network>-<prefix length>`. */
  subnets: Record<string, ConfigSection>;
  controllers: Record<string, ConfigSection>;
  /** Fabrics by id, and their nodes by `<fabric>_<node>`. */
  fabrics: Record<string, ConfigSection>;
  prefixLists: Record<string, ConfigSection>;
  /** Entries of route maps by `<map>_<order>`. */
  routeMaps: Record<string, ConfigSection>;
}

/** An address that PVE's own IPAM has assigned. */
export interface IpamEntry {
  gateway?: 1;
  vmid?: string;
  hostname?: string;
  mac?: string;
}

/** The configuration below sdn/: the edited one and the applied one. */
export interface Sdn extends SdnConfig {
  ipams: Record<string, ConfigSection>;
  dns: Record<string, ConfigSection>;
  /** The state at the last `PUT /cluster/sdn`; version 0 before the first one. */
  running: SdnConfig & { version: number };
  /** sdn/pve-ipam-state.json: by zone, then by CIDR of the subnet, then by address. */
  addresses: Record<string, Record<string, Record<string, IpamEntry>>>;
  /** sdn/mac-cache.json: addresses of a MAC address. */
  macs: Record<string, { ip4?: string; ip6?: string }>;
  /** Set while a client holds the lock of the configuration. */
  lockToken?: string;
}
