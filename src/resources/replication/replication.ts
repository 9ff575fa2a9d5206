import { bool, bpg, defineCrud, disabled, matches, number, opposite, schedule, string } from "#kit";
import { awaitRemoval, removeJob } from "./await-removal.ts";
import { checkJobId, parseJobId } from "./job-id.ts";
import { checkJob } from "./plan-replication.ts";

/** `proxmox_replication`. Server side: pve-manager `PVE/API2/ReplicationConfig.pm`, pve-guest-common `src/PVE/Replication*.pm`. */
export const replication = defineCrud({
  type: "proxmox_replication",
  subcategory: "Backup",
  doc: "A job that copies the volumes of a guest to another node again and again, from ZFS to ZFS. When the guest moves to the target, the job turns around. Destroying it removes the copies on the target, unless `keep_copies` is set; Proxmox VE only marks a job for removal and removes it within a minute or two, when no copy is under way and the target is online. The provider waits for that.",
  noun: "replication job",
  path: "/cluster/replication/{id}",
  file: "replication.cfg",
  identity: ["id"],
  isListWhole: true,
  fixed: { type: "local" },
  movedFrom: [
    bpg("replication", {
      id: "id",
      target: "target",
      schedule: "schedule",
      rate: "rate",
      enabled: opposite("disable"),
      comment: "comment",
    }),
  ],
  attributes: {
    id: {
      type: string({ check: checkJobId }),
      mode: "required",
      wire: "id",
      replace: true,
      doc: "The VMID of the guest and a number, such as `101-0` for the first job of guest 101.",
    },
    target: {
      type: string(),
      mode: "required",
      wire: "target",
      refers: "node",
      replace:
        "A replication job has one target for life: it is removed with its copies, and the next one copies everything again.",
      doc: "Node that the volumes are copied to. It needs storages of the same names.",
    },
    schedule: {
      type: schedule,
      mode: "optional",
      wire: "schedule",
      doc: "When it runs, as a calendar event: `*/30` (each half hour), `mon..fri 22:30`, `daily`. Left out: `*/15`.",
    },
    rate: {
      type: number({ min: 1 }),
      mode: "optional",
      wire: "rate",
      doc: "How fast volumes are copied, in MB/s. Left out: as fast as it can.",
    },
    enabled: {
      ...disabled("disable"),
      doc: "Whether it runs. Left out: a new one does; otherwise it stays as it is.",
    },
    comment: {
      type: string({ check: matches(/^\S([^\n\r]{0,4094}\S)?$/, "one line of at most 4096 characters") }),
      mode: "optional",
      wire: "comment",
      doc: "A comment.",
    },
    keep_copies: {
      type: bool(),
      mode: "optional",
      local: true,
      doc: "Whether the copies on the target stay when the job is destroyed. Left out: they are removed.",
    },
  },

  grants: { "/vms": ["VM.Audit", "VM.Replicate"] },
  needs({ id }) {
    const job = typeof id["id"] === "string" ? parseJobId(id["id"]) : null;
    if (job === null) return [];
    return ["VM.Audit", "VM.Replicate"].map((privilege) => ({
      privileges: [privilege],
      paths: [`/vms/${job.vmid}`],
      attribute: null,
    }));
  },

  async find(api, { id = "" }, { purpose, signal, look }) {
    const found = await look();
    if (found?.["remove_job"] === undefined) return found;
    // It is on its way out, and another of its name can only follow it.
    if (purpose === "proof") await awaitRemoval({ api, id, signal });
    return null;
  },
  async plan({ config, prior, report, changes }, api) {
    if (prior === null || changes.has("target")) await checkJob(api, config, report);
  },
  async planDelete({ state, report }) {
    if (state.keep_copies === true) return;
    const detail = `The copies of the volumes on node ${state.target} are removed with the job. Set \`keep_copies = true\` and apply to keep them.`;
    report.warning(null, "Copies are removed", detail);
  },
  delete: ({ api, id, state, signal }) => removeJob({ api, id: id.id, signal }, state.keep_copies === true),
});
