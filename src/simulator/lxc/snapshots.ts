import { die } from "../core/kernel/failure.ts";
import { getSnapshot } from "../core/world/guest.ts";
import { snapshotEndpoints } from "../guests/snapshot-endpoints.ts";
import { checkLock, containerDigest, getContainer, typedConfig, withContainerLock } from "./container.ts";
import { requestStart } from "./power.ts";
import { createSnapshot, deleteSnapshot, noteOf, rollbackSnapshot } from "./snapshot.ts";

/** pve-container `src/PVE/API2/LXC/Snapshot.pm`. */
export const containerSnapshotEndpoints = snapshotEndpoints({
  type: "lxc",
  taskPrefix: "vz",
  parameters: {},
  getGuest: getContainer,
  digest: containerDigest,
  describe: typedConfig,
  create: ({ given }, id, name) => {
    if (name === "current" || name === "vzdump") {
      die(`unable to use snapshot name '${name}' (reserved name)`);
    }
    return (task) => createSnapshot(task, id, name, given["description"]);
  },
  remove: deleteSnapshot,
  setDescription: (call, id, name, description) =>
    withContainerLock(call, id, () => {
      const guest = getContainer(call, id);
      checkLock(guest);
      const snapshot = getSnapshot(guest, name);
      snapshot["description"] = noteOf(description);
      if (description === "") {
        delete snapshot["description"];
      }
    }),
  rollback: rollbackSnapshot,
  start: requestStart,
});
