import { backupJobEndpoints } from "./jobs.ts";
import { pruneEndpoints } from "./prune.ts";
import { vzdumpEndpoints } from "./vzdump.ts";

/** Backups, their retention, and backup jobs. */
export const backupEndpoints = [...vzdumpEndpoints, ...pruneEndpoints, ...backupJobEndpoints];
