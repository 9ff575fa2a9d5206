/** What a node last told the cluster about a guest; `/cluster/resources` knows nothing newer. */
export interface GuestStatistics {
  name: string;
  /** QEMU's own word: `running`, `stopped`, `paused` … */
  status: string;
  template: 0 | 1;
  uptime: number;
  maxcpu: number;
  cpu: number;
  maxmem: number;
  mem: number;
  maxdisk: number;
  disk: number;
  netin: number;
  netout: number;
  diskread: number;
  diskwrite: number;
  memhost: number;
}

/** The last broadcast of every node's pvestatd. */
export interface Statistics {
  /** By VMID. */
  guests: Record<string, GuestStatistics>;
  /** Figures by `<node>/<storage>`. */
  storages: Record<string, { total: number; used: number }>;
}
