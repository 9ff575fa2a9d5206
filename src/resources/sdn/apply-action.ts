import { defineAction } from "#kit";
import { breakLock } from "./break-lock.ts";
import { commitSdn } from "./commit.ts";
import { foreignNetworks } from "./foreign-networks.ts";
import { describeChanges, pendingChanges } from "./pending.ts";

/** `proxmox_sdn_apply`. Server side: pve-network `src/PVE/API2/Network/SDN.pm`, `reload`. */
export const sdnApplyAction = defineAction({
  type: "proxmox_sdn_apply",
  subcategory: "SDN",
  verb: "apply",
  label: () => "the SDN",
  doc: "Puts all staged changes of the SDN into effect and waits for the reload of every node. Only resources with `apply = false` need it; it also repeats the reload of a node that has failed. The reload puts staged changes of a node's interfaces into effect, too.",
  attributes: { break_lock: breakLock },

  async invoke({ api, config, progress, log, signal, report }) {
    if (config.break_lock) await api.sdn.unlock({ force: true }, { signal });
    const pending = await pendingChanges(api);
    progress(pending.length === 0 ? "SDN: nothing is staged" : `SDN: committing ${describeChanges(pending)}`);
    const nodes = await foreignNetworks(api);
    if (nodes.length > 0) progress(`SDN: with it, staged changes of interfaces on ${nodes.join(", ")}`);
    const change = { key: "proxmox_sdn_apply", commitsForeign: true };
    const { problems } = await commitSdn({ api, changes: [change], isOwn: () => true, log, signal, isForced: true });
    for (const { summary, detail } of problems) report.warning(null, summary, detail);
    progress("SDN: in effect");
  },
});
