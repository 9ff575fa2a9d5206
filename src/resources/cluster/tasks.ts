import { defineCollection, shown, string, timestamp } from "#kit";

const moment = { parse: (raw: unknown) => timestamp(Number(raw)) };

/** `proxmox_tasks`. Server side: pve-manager `PVE/API2/Cluster.pm`, `tasks`. */
export const tasksData = defineCollection({
  type: "proxmox_tasks",
  subcategory: "Cluster",
  doc: "The latest tasks of the cluster, those that run among them: some 25 of each node. Without `Sys.Audit` on a node only the caller's own are shown.",
  path: "/cluster/tasks",
  items: "tasks",
  key: "upid",
  filters: {
    node: "Only tasks on this node",
    kind: "Only tasks of this kind, such as `qmclone`",
    user: "Only tasks of this user, such as `terraform@pve`",
    status: "Only tasks with this result, such as `OK`; running ones have none",
  },
  attributes: {
    upid: shown(string(), "upid", "Unique ID of the task."),
    node: shown(string(), "node", "Node that it runs on."),
    kind: shown(string(), "type", "What it does, such as `qmclone`."),
    subject: shown(string(), "id", "What it does it to, such as a VMID."),
    user: shown(string(), "user", "User that has started it."),
    status: shown(string(), "status", "`OK`, a number of warnings, or the error; null while it runs."),
    started: { ...shown(string(), "starttime", "When it was started, in RFC 3339 form."), as: moment },
    ended: { ...shown(string(), "endtime", "When it ended, in RFC 3339 form; null while it runs."), as: moment },
  },
});
