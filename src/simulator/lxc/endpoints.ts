import { boolean, integer, number } from "../core/schema/schema.ts";
import { consoleEndpoints, vncParametersOf } from "../guests/consoles.ts";
import { remoteMigrateEndpoint } from "../guests/remote-migrate.ts";
import { seriesEndpoint } from "../guests/series-endpoint.ts";
import { tunnelEndpoints } from "../guests/tunnel.ts";
import { cloneEndpoint } from "./clone.ts";
import { checkLock, getContainer, newContainer } from "./container.ts";
import { createEndpoint } from "./create.ts";
import { destroyEndpoint } from "./destroy.ts";
import { containerMigrateEndpoints } from "./migrate.ts";
import { moveVolumeEndpoint } from "./move-volume.ts";
import { containerPowerEndpoints } from "./power.ts";
import { containerReadEndpoints, containerSeries } from "./read.ts";
import { containerSnapshotEndpoints } from "./snapshots.ts";
import { updateEndpoint } from "./update.ts";
import { containerVolumeEndpoints } from "./volumes.ts";

/** Everything below `/nodes/{node}/lxc` (pve-container `src/PVE/API2/LXC.pm`). */
export const lxcEndpoints = [
  createEndpoint,
  ...containerReadEndpoints,
  updateEndpoint,
  cloneEndpoint,
  destroyEndpoint,
  ...containerPowerEndpoints,
  ...containerVolumeEndpoints,
  moveVolumeEndpoint,
  ...containerSnapshotEndpoints,
  ...containerMigrateEndpoints,
  remoteMigrateEndpoint(
    "lxc",
    {
      restart: boolean({ optional: true }),
      timeout: integer({ optional: true, default: 180 }),
      bwlimit: number({ optional: true, minimum: 0, default: "migrate limit from datacenter or storage config" }),
    },
    (call, id) => checkLock(getContainer(call, id)),
  ),
  ...tunnelEndpoints("lxc", (call, id) => {
    newContainer(call.world, id, call.node, { lock: "create" });
  }),
  ...consoleEndpoints({
    type: "lxc",
    word: "CT",
    hasPassword: false,
    vncParameters: vncParametersOf.lxc,
    termParameters: {},
    requireGuest: (call, id) => ({ isRunning: getContainer(call, id).run !== undefined, title: `CT ${id}` }),
  }),
  seriesEndpoint("lxc", containerSeries),
];
