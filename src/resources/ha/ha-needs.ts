import type { Need } from "#kit";

/** What changing anything of HA takes, and reading it back (pve-ha-manager: src/PVE/API2/HA/*.pm). */
export const haNeeds: readonly Need[] = [
  { privileges: ["Sys.Console"], paths: ["/"], attribute: null },
  { privileges: ["Sys.Audit"], paths: ["/"], attribute: null },
];
