import { defineAction } from "#kit";
import { breakLock } from "./break-lock.ts";
import { underLock } from "./lock.ts";
import { describeChanges, pendingChanges } from "./pending.ts";

/** `proxmox_sdn_rollback`. Server side: pve-network `src/PVE/API2/Network/SDN.pm`, `rollback`. */
export const sdnRollbackAction = defineAction({
  type: "proxmox_sdn_rollback",
  subcategory: "SDN",
  verb: "roll back",
  label: () => "the SDN",
  doc: "Drops all staged changes of the SDN, those of other clients included. Addresses that are registered in the IPAM stay.",
  attributes: { break_lock: breakLock },

  async invoke({ api, config, progress, signal }) {
    if (config.break_lock) await api.sdn.unlock({ force: true }, { signal });
    const pending = await pendingChanges(api);
    if (pending.length === 0) return progress("SDN: nothing is staged");
    progress(`SDN: dropping ${describeChanges(pending)}`);
    await underLock(api, (token) => api.sdn.rollback(token, { signal }));
    progress("SDN: as it runs");
  },
});
