import { die } from "../../core/kernel/failure.ts";
import { boolean } from "../../core/schema/schema.ts";
import { getSnapshot } from "../../core/world/guest.ts";
import { snapshotEndpoints } from "../../guests/snapshot-endpoints.ts";
import { configDigest } from "../config/config-text.ts";
import { isTrue } from "../config/perl.ts";
import { typedSection } from "../config/stored-value.ts";
import { checkNonMigratable } from "../migration/non-migratable.ts";
import { requestStart } from "../power/start.ts";
import { checkLock, getVm, loadConfig, saveConfig, withConfigLock } from "../vm.ts";
import { createSnapshot } from "./create.ts";
import { deleteSnapshot } from "./delete.ts";
import { rollbackSnapshot } from "./rollback.ts";

/** qemu-server `src/PVE/API2/Qemu.pm`. */
export const vmSnapshotEndpoints = snapshotEndpoints({
  type: "qemu",
  taskPrefix: "qm",
  parameters: { vmstate: boolean({ optional: true }) },
  getGuest: getVm,
  digest: configDigest,
  details: ({ vmstate }) => ({ vmstate: isTrue(vmstate) ? 1 : 0 }),
  describe: typedSection,
  create: (call, id, name) => {
    if (name === "current" || name.toLowerCase() === "pending") {
      die(`unable to use snapshot name '${name.toLowerCase()}' (reserved name)`);
    }
    const vmstate = call.params["vmstate"] === 1;
    checkNonMigratable(getVm(call, id).config, vmstate);
    return (task) => createSnapshot(task, { vmid: id, name, description: call.given["description"], vmstate });
  },
  remove: (task, id, name, force) => deleteSnapshot(task, { vmid: id, name, force }),
  setDescription: (call, id, name, description) =>
    withConfigLock(call, id, () => {
      const conf = loadConfig(call, id);
      checkLock(conf);
      getSnapshot(conf, name)["description"] = description;
      saveConfig(call, id, conf);
    }),
  rollback: rollbackSnapshot,
  checkStart: ({ caller }, id) => caller.check(`/vms/${id}`, ["VM.PowerMgmt"]),
  start: (task, id) => {
    if (getVm(task, id).run === undefined) {
      requestStart(task, id);
    }
  },
});
