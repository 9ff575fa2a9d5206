import {
  bool,
  defineDataSource,
  found,
  inOrder,
  isPveError,
  list,
  map,
  nested,
  nullable,
  type Session,
  string,
} from "#kit";
import { pendingChanges } from "./pending.ts";

/** `proxmox_sdn_changes`. Server side: pve-network `src/PVE/API2/Network/SDN.pm`, `dry_run`. */
export const sdnChangesData = defineDataSource({
  type: "proxmox_sdn_changes",
  subcategory: "SDN",
  doc: "What a commit of the SDN would put into effect: the staged changes of all clients, and what they change in the files of each node. Needs `SDN.Audit` on `/sdn`, and `Sys.Audit` on the nodes for their files.",
  attributes: {
    pending: found(bool(), "Whether anything waits for a commit."),
    changes: found(
      list(
        nested({
          type: found(string(), "What it is: `zone`, `vnet`, `subnet`, `controller`, `fabric` or `fabric_node`."),
          id: found(string(), "Its name; `VNET/CIDR` for a subnet, `FABRIC/NODE` for a node of a fabric."),
          state: found(string(), "`new`, `changed` or `deleted`."),
        }),
      ),
      "The staged changes, ordered by type, then by name.",
    ),
    nodes: found(
      map(
        nested({
          interfaces: found(nullable(string()), "Change of /etc/network/interfaces.d/sdn as a diff. Null: none."),
          frr: found(nullable(string()), "Change of the configuration of FRR as a diff. Null: none."),
        }),
      ),
      "Changes of the files of each node that is online and whose files the caller may see.",
    ),
  },

  async read({ api, signal }) {
    const changes = (await pendingChanges(api)).map(({ key, state }) => {
      const [type = "", ...id] = key.replace(/^proxmox_sdn_/, "").split(" ");
      return { type, id: id.join(" "), state };
    });
    return {
      pending: changes.length > 0,
      changes: inOrder(changes, ({ type, id }) => [type, id]),
      nodes: await dryRuns(api, signal),
    };
  },
});

async function dryRuns(api: Session, signal: AbortSignal) {
  const { nodes, isOnline } = await api.inventory.snapshot();
  const all = await Promise.all(
    [...nodes.keys()].filter(isOnline).map(async (node) => {
      const run = await api.sdn.dryRun(node, { signal }).catch((reason: unknown) => {
        if (isPveError(reason, "permission", "unreachable", "timeout")) return null;
        throw reason;
      });
      return run === null
        ? []
        : [[node, { interfaces: run["interfaces-diff"] || null, frr: run["frr-diff"] || null }] as const];
    }),
  );
  return Object.fromEntries(all.flat());
}
