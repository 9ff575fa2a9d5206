/** A rule as in the file; its position is its index in the list. */
export type FirewallRule = Record<string, string>;

export interface FirewallAlias {
  /** As written; searched case-insensitively. */
  name: string;
  cidr: string;
  comment?: string;
}

export interface FirewallSet {
  comment?: string;
  entries: { cidr: string; nomatch?: 1; comment?: string }[];
}

/** One `.fw` file: of the cluster, a node or a guest. */
export interface FirewallFile {
  options: Record<string, string>;
  rules: FirewallRule[];
  aliases: Record<string, FirewallAlias>;
  /** A line among the aliases that is none: until the file is written again, the list has an entry without members. */
  hasStrayLine?: true;
  sets: Record<string, FirewallSet>;
  /** Security groups, only in the cluster's file. */
  groups: Record<string, { comment?: string; rules: FirewallRule[] }>;
}

/** By `cluster`, `node/<name>` or `guest/<vmid>`; a file that was never written is absent. */
export type Firewall = Record<string, FirewallFile>;
