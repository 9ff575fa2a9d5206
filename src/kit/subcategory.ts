/** The groups of pages in the documentation. */
export type Subcategory =
  | "Access"
  | "Backup"
  | "Cluster"
  | "Containers"
  | "Firewall"
  | "Nodes"
  | "SDN"
  | "Storage"
  | "Virtual machines";
