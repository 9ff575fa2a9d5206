import type { Endpoint } from "../core/kernel/endpoint.ts";
import { integer, string } from "../core/schema/schema.ts";
import { consoleEndpoints, vncParametersOf } from "../guests/consoles.ts";
import { remoteMigrateEndpoint } from "../guests/remote-migrate.ts";
import { tunnelEndpoints } from "../guests/tunnel.ts";
import { agentEndpoints } from "./agent.ts";
import { cloneEndpoints } from "./clone.ts";
import { cloudInitEndpoints } from "./cloudinit.ts";
import { createEndpoints, newGuest } from "./create.ts";
import { customCpuEndpoints } from "./custom-cpu.ts";
import { dbusEndpoints } from "./dbus.ts";
import { destroyEndpoints } from "./destroy.ts";
import { directoryEndpoints } from "./directory.ts";
import { featureEndpoints } from "./feature.ts";
import { migrateEndpoints } from "./migrate.ts";
import { migrateCheckEndpoints } from "./migrate-check.ts";
import { monitorEndpoints } from "./monitor.ts";
import { moveDiskEndpoints } from "./move-disk.ts";
import { powerEndpoints } from "./power.ts";
import { readConfigEndpoints } from "./read-config.ts";
import { resizeEndpoints } from "./resize.ts";
import { snapshotEndpoints } from "./snapshots.ts";
import { startEndpoints } from "./start.ts";
import { statusEndpoints } from "./status.ts";
import { stopEndpoints } from "./stop.ts";
import { suspendEndpoints } from "./suspend.ts";
import { templateEndpoints } from "./template.ts";
import { updateEndpoints } from "./update.ts";
import { checkLock, getVm } from "./vm.ts";

/** Everything below `/nodes/{node}/qemu` (qemu-server `src/PVE/API2/Qemu.pm`). */
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
  ...snapshotEndpoints,
  ...dbusEndpoints,
  ...tunnelEndpoints("qemu", (call, id) => {
    call.world.guests[id] = newGuest(id, call.node, { lock: "create" });
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
