import { defineDataSource, found, inOrder, list, nested, nullable, oneOf, string } from "#kit";
import { clusterScope, requirePlace, vmid } from "./scope.ts";

/** `proxmox_firewall_refs`. Server side: pve-firewall `src/PVE/API2/Firewall/{Cluster,VM}.pm`, `refs`. */
export const firewallRefsData = defineDataSource({
  type: "proxmox_firewall_refs",
  subcategory: "Firewall",
  doc: "Aliases and IP sets that rules of a firewall can name: those of the cluster, those that the SDN creates, and those of a guest. Needs `Sys.Audit` on `/`, or `VM.Audit` on the guest.",
  attributes: {
    vmid: { type: vmid, mode: "optional", doc: "VM or container whose own names are shown besides. Not given: none." },
    type: { type: oneOf(["alias", "ipset"]), mode: "optional", doc: "Only aliases, or only IP sets." },
    references: found(list(string()), "What `source` and `dest` of a rule take, in alphabetical order."),
    refs: found(
      list(
        nested({
          reference: found(string(), "What `source` and `dest` of a rule take, such as `+dc/admins`."),
          name: found(string(), "Name."),
          type: found(string(), "`alias` or `ipset`."),
          scope: found(string(), "`dc` for the cluster, `guest` or `sdn`."),
          comment: found(nullable(string()), "A comment."),
        }),
      ),
      "Aliases and IP sets, ordered by reference.",
    ),
  },

  async read({ api, config, signal }) {
    const scope = config.vmid === null ? clusterScope : ({ kind: "guest", vmid: config.vmid } as const);
    const listed = await api.firewall.listReferences(await requirePlace(api, scope), { signal });
    const wanted = listed.filter(({ type }) => config.type === null || type === config.type);
    const refs = wanted.map(({ type, name, scope: owner = "dc", comment }) => ({
      reference: `${type === "ipset" ? "+" : ""}${owner}/${name}`,
      name,
      type,
      scope: owner,
      comment: comment || null,
    }));
    const ordered = inOrder(refs, ({ reference }) => [reference]);
    return { references: ordered.map(({ reference }) => reference), refs: ordered };
  },
});
