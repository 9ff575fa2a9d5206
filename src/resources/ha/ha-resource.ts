import { bool, bpg, defineCrud, int, latinLine, oneOf, string } from "#kit";
import { resourcesIn } from "../guest/ha-options.ts";
import { leaveHa } from "./leave-ha.ts";
import { planGuest } from "./plan-guest.ts";
import { parseSid, sidHint } from "./sid.ts";

/** `proxmox_ha_resource`. Server side: pve-ha-manager `src/PVE/API2/HA/Resources.pm`. */
export const haResource = defineCrud({
  type: "proxmox_ha_resource",
  subcategory: "Cluster",
  doc: "A guest that the HA manager watches over: it is restarted, or started on another node, when it or its node fails. For a VM that Terraform creates, `ha` of `proxmox_vm` does the same; use one of the two. HA groups do not exist in Proxmox VE 9: `proxmox_ha_rule` says where guests may run, and which of them together or apart.",
  noun: "HA resource",
  path: "/cluster/ha/resources/{sid}",
  file: "the HA configuration",
  identity: ["sid"],
  otherwise:
    "If `ha` of a `proxmox_vm` has put it there, it belongs to that VM: remove this resource, or `ha` of the VM.",
  movedFrom: [
    bpg("haresource", {
      sid: "resource_id",
      state: "state",
      max_restart: "max_restart",
      max_relocate: "max_relocate",
      failback: "failback",
      comment: "comment",
    }),
  ],
  attributes: {
    sid: {
      type: string({ check: (sid) => (parseSid(sid) ? undefined : sidHint) }),
      mode: "required",
      wire: "sid",
      replace: true,
      refers: "guest",
      doc: "The guest: `vm:` or `ct:` and its VMID, such as `vm:100`.",
    },
    state: {
      type: oneOf(["started", "stopped", "disabled", "ignored"]),
      mode: "optional_computed",
      wire: "state",
      // `enabled` is the old word for `started`.
      as: { parse: (raw) => (raw === "enabled" ? "started" : raw), print: (state) => state },
      absent: "started",
      keep: true,
      doc: "What the manager keeps the guest in: `started`, `stopped` (but moved to another node if its own fails), `disabled` (stopped and left where it is; the way out of an error), or `ignored` (not touched at all). Left out: `started` for a new one; otherwise what it is, since starting and stopping the guest changes it.",
    },
    max_restart: {
      type: int({ min: 0 }),
      mode: "optional",
      wire: "max_restart",
      doc: "Attempts to start the guest again on the same node. Left out: Proxmox VE's default, one.",
    },
    max_relocate: {
      type: int({ min: 0 }),
      mode: "optional",
      wire: "max_relocate",
      doc: "Attempts to start it on other nodes. Left out: Proxmox VE's default, one.",
    },
    failback: {
      type: bool(),
      mode: "optional",
      wire: "failback",
      doc: "Whether the guest goes back when a node with a higher priority in a rule returns. Left out: it does.",
    },
    auto_rebalance: {
      type: bool(),
      mode: "optional",
      wire: "auto-rebalance",
      doc: "Whether the balancer of the HA manager may move the guest (`crs.ha_auto_rebalance` of `proxmox_cluster_options`). With `false`, guests that a rule keeps together with it are not moved either; failures, maintenance and rules still move them. Since Proxmox VE 9.1.13. Left out: it may.",
    },
    comment: {
      type: latinLine(4096),
      mode: "optional",
      wire: "comment",
      doc: "A comment: one line of letters up to `ÿ`. Proxmox VE breaks others here.",
    },
  },

  plan: (context, api) => planGuest(context, api),
  delete: (context, remove) => leaveHa(context, remove),
  written: (api) => api.inventory.forget(),
  /** VMs ask for the same list. */
  async find(api, { sid = "" }, { purpose, signal }) {
    if (purpose !== "refresh" && purpose !== "plan") return api.ha.find(sid, { signal });
    return (await resourcesIn(api, await api.inventory.snapshot())).get(sid) ?? null;
  },
});
