import { defineCrud, type Need } from "#kit";
import { jobAttributes } from "./job-attributes.ts";
import { jobsMovedFrom } from "./moved-from.ts";
import { checkJob } from "./plan-job.ts";
import { validateJob } from "./validate-job.ts";

const text = (value: unknown): string | null => (typeof value === "string" ? value : null);

/** `proxmox_backup_job`. Server side: pve-manager `PVE/API2/Backup.pm`, `PVE/Jobs/VZDump.pm`. */
export const backupJob = defineCrud({
  type: "proxmox_backup_job",
  subcategory: "Backup",
  doc: "A job that backs up guests on a schedule. `data.proxmox_backup_coverage` shows guests that are in no job, and the action `proxmox_backup`, or Run now in the web interface, makes a backup at once. Destroying a job keeps its backups. A guest that is destroyed leaves `vmids`; Proxmox VE removes a job together with its last guest.",
  noun: "backup job",
  path: "/cluster/backup/{id}",
  file: "jobs.cfg",
  identity: ["id"],
  isListWhole: true,
  // `protected` and `notes-template` are taken with `storage` only, in a change as well.
  alwaysSent: ["storage"],
  movedFrom: [jobsMovedFrom],
  attributes: jobAttributes,
  validate: validateJob,

  grants: { "/storage": ["Datastore.Allocate", "Datastore.AllocateSpace"], "/pool": ["VM.Backup"] },
  needs({ action, planned, state }) {
    if (action === "delete") return [];
    const places = new Set([planned, ...(state === null ? [] : [state])].map((job) => text(job["storage"]) ?? "local"));
    const need = (privilege: string, path: string, attribute: string): Need => ({
      privileges: [privilege],
      paths: [path],
      attribute,
    });
    const [pool, fleecing] = [
      text(planned["pool"]),
      text((planned["fleecing"] as { storage?: unknown } | null)?.storage),
    ];
    return [
      ...[...places].map((storage) => need("Datastore.Allocate", `/storage/${storage}`, "storage")),
      ...(pool === null ? [] : [need("VM.Backup", `/pool/${pool}`, "pool")]),
      ...(fleecing === null ? [] : [need("Datastore.AllocateSpace", `/storage/${fleecing}`, "fleecing")]),
    ];
  },
  async plan({ config, prior, report, changes }, api) {
    if (prior === null || changes.size > 0) await checkJob(api, config, prior, report);
  },
});
