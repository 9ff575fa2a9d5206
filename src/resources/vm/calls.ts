import type { Session } from "#kit";
import type { GuestCalls } from "../guest/kind.ts";

/** The calls of a VM. Server side: qemu-server `src/PVE/API2/Qemu.pm`. */
export const vmCalls = (api: Session): GuestCalls => ({
  ...api.qemu,
  ...api.power,
  // PVE ignores `online` for a stopped VM. Without it, PVE refuses to migrate a VM that was started just now.
  migrate: (vm, target, options) =>
    api.migration.migrate(vm, { target, "with-local-disks": true, online: true }, options),
});
