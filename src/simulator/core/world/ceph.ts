/** A hyper-converged Ceph cluster. */
export interface Ceph {
  fsid: string;
  /** Flags that are set, such as `noout`. */
  flags: string[];
  /** CRUSH rules. */
  rules: string[];
  /** By name. */
  pools: Record<string, CephPool>;
}

export interface CephPool {
  id: number;
  size: number;
  min_size: number;
  pg_num: number;
  pg_num_min?: number;
  pg_autoscale_mode: string;
  crush_rule: string;
  application: string;
  /** Bytes. */
  target_size?: number;
  target_size_ratio?: number;
}
