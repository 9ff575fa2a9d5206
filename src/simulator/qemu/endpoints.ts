import type { Endpoint } from "../core/kernel/endpoint.ts";
import { integer, string } from "../core/schema/schema.ts";
import { newGuest } from "../core/world/guest.ts";
import { consoleEndpoints, vncParametersOf } from "../guests/consoles.ts";
import { remoteMigrateEndpoint } from "../guests/remote-migrate.ts";
import { tunnelEndpoints } from "../guests/tunnel.ts";
import { agentEndpoints } from "./agent/endpoints.ts";
import { cloudInitEndpoints } from "./cloud-init/endpoints.ts";
import { customCpuEndpoints } from "./custom-cpu.ts";
import { directoryEndpoints } from "./directory.ts";
import { moveDiskEndpoints } from "./disks/move-disk.ts";
import { resizeEndpoints } from "./disks/resize.ts";
import { cloneEndpoints } from "./lifecycle/clone.ts";
import { createEndpoints } from "./lifecycle/create.ts";
import { destroyEndpoints } from "./lifecycle/destroy.ts";
import { templateEndpoints } from "./lifecycle/template.ts";
import { migrateCheckEndpoints } from "./migration/check.ts";
import { dbusEndpoints } from "./migration/dbus.ts";
import { migrateEndpoints } from "./migration/migrate.ts";
import { powerEndpoints } from "./power/endpoints.ts";
import { monitorEndpoints } from "./power/monitor.ts";
import { startEndpoints } from "./power/start.ts";
import { stopEndpoints } from "./power/stop.ts";
import { suspendEndpoints } from "./power/suspend.ts";
import { vmSnapshotEndpoints } from "./snapshots/endpoints.ts";
import { featureEndpoints } from "./snapshots/feature.ts";
import { statusEndpoints } from "./status.ts";
import { updateEndpoints } from "./update/endpoints.ts";
import { readConfigEndpoints } from "./update/read-config.ts";
import { checkLock, getVm } from "./vm.ts";

/** All endpoints below `/nodes/{node}/qemu` (qemu-server `src/PVE/API2/Qemu.pm`). */
export const qemuEndpoints: readonly Endpoint[] = [
  ...statusEndpoints,
  ...createEndpoints,
  ...directoryEndpoints,
  ...destroyEndpoints,
  ...readConfigEndpoints,
  ...updateEndpoints,
  ...cloudInitEndpoints,
  ...startEndpoints,
  ...stopEndpoints,
  ...powerEndpoints,
  ...suspendEndpoints,
  ...monitorEndpoints,
  ...agentEndpoints,
  ...featureEndpoints,
  ...cloneEndpoints,
  ...templateEndpoints,
  ...moveDiskEndpoints,
  ...resizeEndpoints,
  ...migrateCheckEndpoints,
  ...migrateEndpoints,
  ...vmSnapshotEndpoints,
  ...dbusEndpoints,
  ...tunnelEndpoints("qemu", (call, id) => {
    call.world.guests[id] = newGuest("qemu", id, call.node, { lock: "create" });
  }),
  ...customCpuEndpoints,
  remoteMigrateEndpoint(
    "qemu",
    { bwlimit: integer({ optional: true, minimum: 0, default: "migrate limit from datacenter or storage config" }) },
    (call, id) => checkLock(getVm(call, id)),
  ),
  ...consoleEndpoints({
    type: "qemu",
    word: "VM",
    hasPassword: true,
    vncParameters: vncParametersOf.qemu,
    termParameters: { serial: string({ optional: true, enum: ["serial0", "serial1", "serial2", "serial3"] }) },
    requireGuest: (call, id) => {
      const { config, run } = getVm(call, id);
      return { isRunning: run !== undefined, title: `VM ${id}${config["name"] ? ` - ${config["name"]}` : ""}` };
    },
  }),
];
