import { defineProvider, diagnose, openSession, reachCluster } from "#kit";
import { version } from "./cli/version.ts";
import { logSettingProblems } from "./log/setting-problems.ts";
import { providerSettings, sessionSettings } from "./provider-settings.ts";
import { acl } from "./resources/access/acl.ts";
import { permissionsData } from "./resources/access/permissions.ts";
import { role } from "./resources/access/role.ts";
import { token } from "./resources/access/token.ts";
import { ephemeralToken } from "./resources/access/token-ephemeral.ts";
import { user } from "./resources/access/user.ts";
import { importBlocksFunction } from "./resources/functions/import-blocks.ts";
import { parseVolumeIdFunction } from "./resources/functions/parse-volume-id.ts";
import { sizeFunction } from "./resources/functions/size.ts";
import { haResource } from "./resources/ha/ha-resource.ts";
import { haRule } from "./resources/ha/ha-rule.ts";
import { hardwareMapping } from "./resources/mapping/hardware-mapping.ts";
import { hardwareMappingsData } from "./resources/mapping/hardware-mappings.ts";
import { networksData } from "./resources/network/networks.ts";
import { nodesData } from "./resources/nodes/nodes.ts";
import { pool } from "./resources/pool/pool.ts";
import { poolsData } from "./resources/pool/pools.ts";
import { download } from "./resources/storage/download.ts";
import { file } from "./resources/storage/file.ts";
import { filesData } from "./resources/storage/files.ts";
import { storagesData } from "./resources/storage/storages.ts";
import { versionData } from "./resources/version/version.ts";
import { rebootAction } from "./resources/vm/actions/reboot.ts";
import { shutdownAction } from "./resources/vm/actions/shutdown.ts";
import { snapshotAction } from "./resources/vm/actions/snapshot.ts";
import { startAction } from "./resources/vm/actions/start.ts";
import { vmData } from "./resources/vm/data/vm.ts";
import { vmsData } from "./resources/vm/data/vms.ts";
import { listVms } from "./resources/vm/list.ts";
import { vm } from "./resources/vm/vm.ts";

/** The provider's definition. Resources, data sources … are registered here and nowhere else. */
export const provider = defineProvider({
  name: "proxmox",
  doc: "Manages virtual machines and what they need on Proxmox VE 9.",
  resources: [acl, download, file, haResource, haRule, hardwareMapping, pool, role, token, user, vm],
  ephemerals: [ephemeralToken],
  dataSources: [
    filesData,
    hardwareMappingsData,
    networksData,
    nodesData,
    permissionsData,
    poolsData,
    storagesData,
    versionData,
    vmData,
    vmsData,
  ],
  functions: [importBlocksFunction, parseVolumeIdFunction, sizeFunction],
  listResources: [listVms],
  actions: [rebootAction, shutdownAction, snapshotAction, startAction],
  attributes: providerSettings,

  validate({ config, report }) {
    if (config.endpoint && config.endpoints) {
      report.error("endpoints", "Conflicting endpoints", "Give either `endpoint` or `endpoints`, not both.");
    }
    if (config.api_token && (config.username || config.password)) {
      report.error("api_token", "Conflicting credentials", "Give either `api_token`, or `username` and `password`.");
    }
    if (config.tls_fingerprint && config.insecure) {
      report.error(
        "insecure",
        "Conflicting trust",
        "A pinned `tls_fingerprint` and `insecure = true` contradict each other.",
      );
    }
  },

  /** Undefined while a setting is not known yet: plans are then made without reading the cluster. */
  async configure({ config, report, log, conceal, terraformVersion }) {
    if (Object.values(config).some((setting) => setting === undefined)) return undefined;
    if (config.insecure) {
      report.warning(
        "insecure",
        "TLS certificates are not verified",
        "An attacker between this machine and the cluster can read and change all traffic, including the credentials.",
      );
    }
    for (const { summary, detail } of logSettingProblems(process.env)) report.warning(null, summary, detail);
    const userAgent = `terraform-provider-proxmox/${version} (Terraform ${terraformVersion})`;
    const session = await openSession(sessionSettings(config), { environment: process.env, log, conceal, userAgent });
    await reachCluster(session);
    return session;
  },

  diagnose,
});
