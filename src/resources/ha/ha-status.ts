import { bool, defineCollection, shown, string } from "#kit";

/** `proxmox_ha_status`. Server side: pve-ha-manager `src/PVE/API2/HA/Status.pm`, `status`. */
export const haStatusData = defineCollection({
  type: "proxmox_ha_status",
  subcategory: "Cluster",
  doc: "What the HA manager does at the moment: quorum, master, the managers of the nodes, and each guest. Requires `Sys.Audit` on `/`.",
  path: "/cluster/ha/status/current",
  items: "entries",
  key: "id",
  filters: {
    kind: "Only entries of this kind: `quorum`, `master`, `lrm`, `fencing` or `service`",
    node: "Only entries of this node",
    state: "Only guests in this state, such as `started` or `error`",
  },
  attributes: {
    id: shown(string(), "id", "ID, such as `quorum`, `lrm:pve1` or `service:vm:100`."),
    kind: shown(
      string(),
      "type",
      "`quorum`, `master`, `lrm` (the manager of a node), `fencing` or `service` (a guest).",
    ),
    node: shown(string(), "node", "Node that it is about."),
    status: shown(string(), "status", "State in words."),
    sid: shown(string(), "sid", "Guest, such as `vm:100`."),
    state: shown(string(), "state", "State of the guest."),
    requested_state: shown(string(), "request_state", "State that is asked for."),
    quorate: shown(bool(), "quorate", "Whether there is a quorum."),
  },
});
