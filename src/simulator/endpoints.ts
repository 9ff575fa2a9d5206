import { accessEndpoints } from "./access/endpoints.ts";
import { acmeEndpoints } from "./acme/endpoints.ts";
import { backupEndpoints } from "./backup/endpoints.ts";
import { bulkEndpoints } from "./bulk/endpoints.ts";
import { cephEndpoints } from "./ceph/endpoints.ts";
import { clusterEndpoints } from "./cluster/endpoints.ts";
import type { Endpoint } from "./core/kernel/endpoint.ts";
import { firewallEndpoints } from "./firewall/endpoints.ts";
import { haEndpoints } from "./ha/endpoints.ts";
import { lxcEndpoints } from "./lxc/endpoints.ts";
import { mappingEndpoints } from "./mapping/endpoints.ts";
import { nodeEndpoints } from "./nodes/endpoints.ts";
import { notificationEndpoints } from "./notifications/endpoints.ts";
import { poolEndpoints } from "./pools/endpoints.ts";
import { qemuEndpoints } from "./qemu/endpoints.ts";
import { replicationEndpoints } from "./replication/endpoints.ts";
import { sdnEndpoints } from "./sdn/endpoints.ts";
import { storageEndpoints } from "./storage/endpoints.ts";
import { taskEndpoints } from "./tasks/endpoints.ts";
import { versionEndpoints } from "./version.ts";

/** The API that the simulator serves: the endpoints of all areas. All other calls are answered with PVE's 501. */
export const endpoints: readonly Endpoint[] = [
  ...versionEndpoints,
  ...accessEndpoints,
  ...taskEndpoints,
  ...storageEndpoints,
  ...lxcEndpoints,
  ...firewallEndpoints,
  ...mappingEndpoints,
  ...sdnEndpoints,
  ...nodeEndpoints,
  ...poolEndpoints,
  ...qemuEndpoints,
  ...haEndpoints,
  ...clusterEndpoints,
  ...notificationEndpoints,
  ...acmeEndpoints,
  ...cephEndpoints,
  ...backupEndpoints,
  ...bulkEndpoints,
  ...replicationEndpoints,
];
