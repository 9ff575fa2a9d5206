import type { Session } from "#kit";
import type { GuestCalls } from "../guest/calls.ts";

/** The calls of a VM. Server side: qemu-server `src/PVE/API2/Qemu.pm`. */
export const vmCalls = (api: Session): GuestCalls => ({
  ...api.qemu,
  ...api.power,
  changeConfig: (vm, change, { isLong, signal }) =>
    isLong ? api.qemu.startConfigUpdate(vm, change, { signal }) : api.qemu.updateConfig(vm, change, { signal }),
  resize: api.disks.resize,
  listSnapshots: api.snapshots.list,
  takeSnapshot: api.snapshots.create,
  rollback: api.snapshots.rollback,
  moveVolume: (vm, { slot, ...target }, options) =>
    api.disks.moveDisk(vm, { disk: slot, delete: true, ...target }, options),
  // PVE ignores `online` for a stopped VM. Without it, PVE refuses to migrate a VM that was started just now.
  migrate: (vm, { target, storage: targetstorage, bandwidthLimit: bwlimit }, options) =>
    api.migration.migrate(vm, { target, targetstorage, bwlimit, "with-local-disks": true, online: true }, options),
});
