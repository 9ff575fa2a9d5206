/** A member of the cluster. */
export interface Node {
  readonly name: string;
  readonly id: number;
  address: string;
  online: boolean;
  cpus: number;
  /** Bytes. */
  memory: number;
  /** /etc/network/interfaces by name, as its options. */
  interfaces: Record<string, Record<string, unknown>>;
  /** Bridges that exist for guests though no file configures them. */
  otherBridges: string[];
  /** Seconds since the epoch. */
  bootedAt: number;
}
