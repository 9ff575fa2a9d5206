import { aptEndpoints } from "./apt.ts";
import { capabilityEndpoints } from "./capabilities.ts";
import { certificateEndpoints } from "./certificates.ts";
import { nodeConfigEndpoints } from "./config.ts";
import { diskEndpoints } from "./disks.ts";
import { executeEndpoints } from "./execute.ts";
import { hardwareEndpoints } from "./hardware.ts";
import { hostFileEndpoints } from "./host-files.ts";
import { nodeListEndpoints } from "./list.ts";
import { networkEndpoints } from "./network.ts";
import { networkCounterEndpoints } from "./network-counters.ts";
import { nodePowerEndpoints } from "./power.ts";
import { scanEndpoints } from "./scan.ts";
import { serviceEndpoints } from "./services.ts";
import { shellEndpoints } from "./shells.ts";
import { subscriptionEndpoints } from "./subscription.ts";

export const nodeEndpoints = [
  ...nodeListEndpoints,
  ...nodePowerEndpoints,
  ...executeEndpoints,
  ...networkCounterEndpoints,
  ...shellEndpoints,
  ...hostFileEndpoints,
  ...networkEndpoints,
  ...nodeConfigEndpoints,
  ...subscriptionEndpoints,
  ...certificateEndpoints,
  ...aptEndpoints,
  ...serviceEndpoints,
  ...hardwareEndpoints,
  ...diskEndpoints,
  ...capabilityEndpoints,
  ...scanEndpoints,
];
