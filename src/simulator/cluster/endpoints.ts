import { clusterConfigEndpoints } from "./config.ts";
import { jobEndpoints } from "./jobs.ts";
import { metricServerEndpoints } from "./metric-servers.ts";
import { metricsExportEndpoints } from "./metrics-export.ts";
import { nextIdEndpoints } from "./next-id.ts";
import { clusterOptionEndpoints } from "./options.ts";
import { resourceEndpoints } from "./resources.ts";
import { clusterStatusEndpoints } from "./status.ts";

export const clusterEndpoints = [
  ...clusterStatusEndpoints,
  ...clusterOptionEndpoints,
  ...nextIdEndpoints,
  ...resourceEndpoints,
  ...clusterConfigEndpoints,
  ...jobEndpoints,
  ...metricServerEndpoints,
  ...metricsExportEndpoints,
];
