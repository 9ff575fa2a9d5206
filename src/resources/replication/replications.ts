import { bool, defineCollection, int, number, shown, string } from "#kit";

/** `proxmox_replications`. Server side: pve-manager `PVE/API2/ReplicationConfig.pm`, `index`. */
export const replicationsData = defineCollection({
  type: "proxmox_replications",
  subcategory: "Backup",
  doc: "Replication jobs of the cluster. Those of guests on which the caller has no `VM.Audit` are not shown.",
  path: "/cluster/replication",
  items: "replications",
  key: "id",
  filters: {
    vmid: "Only jobs of this guest",
    source: "Only jobs of guests on this node",
    target: "Only jobs to this node",
    enabled: "Only jobs that run, or only those that do not",
  },
  attributes: {
    id: shown(string(), "id", "VMID and number, such as `401-0`."),
    vmid: shown(int(), "guest", "VMID of the guest."),
    source: shown(string(), "source", "Node that the guest was on when the job last ran; null: it has not run."),
    target: shown(string(), "target", "Node that its volumes are copied to."),
    schedule: shown(string(), "schedule", "When it runs; null: every 15 minutes."),
    rate: shown(number(), "rate", "Limit in MB per second; null: none."),
    enabled: {
      ...shown(bool(), "disable", "Whether it runs."),
      as: { parse: (raw: unknown) => String(raw) !== "1" },
      absent: true,
    },
    comment: shown(string(), "comment", "A comment."),
  },
});
