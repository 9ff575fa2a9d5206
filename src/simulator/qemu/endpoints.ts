import type { Endpoint } from "../kernel/endpoint.ts";
import { agentEndpoints } from "./agent.ts";
import { cloneEndpoints } from "./clone.ts";
import { cloudInitEndpoints } from "./cloudinit.ts";
import { createEndpoints } from "./create.ts";
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
];
