import { backupJobEndpoints } from "./jobs.ts";
import { pruneEndpoints } from "./prune.ts";
import { vzdumpEndpoints } from "./vzdump.ts";

/** Backups: what makes them, what keeps them few, and the jobs that order them. */
export const backupEndpoints = [...vzdumpEndpoints, ...pruneEndpoints, ...backupJobEndpoints];
