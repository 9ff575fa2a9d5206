import { bulkEndpoints } from "./bulk.ts";
import { capabilityEndpoints } from "./capabilities.ts";
import { hardwareEndpoints } from "./hardware.ts";
import { hostFileEndpoints } from "./host-files.ts";
import { nodeListEndpoints } from "./list.ts";
import { scanEndpoints } from "./scan.ts";
import { serviceEndpoints } from "./services.ts";

export const nodeEndpoints = [
  ...nodeListEndpoints,
  ...hostFileEndpoints,
  ...serviceEndpoints,
  ...hardwareEndpoints,
  ...capabilityEndpoints,
  ...scanEndpoints,
  ...bulkEndpoints,
];
