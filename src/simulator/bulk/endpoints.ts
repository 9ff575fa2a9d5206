import { bulkActionEndpoints } from "./cluster-endpoints.ts";
import { nodeBulkEndpoints } from "./node-endpoints.ts";

export const bulkEndpoints = [...nodeBulkEndpoints, ...bulkActionEndpoints];
