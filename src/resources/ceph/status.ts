import { bool, defineDataSource, found, isPveError, list, nullable, string } from "#kit";
import type { ConfigObject } from "#pve";

/** `proxmox_ceph_status`. Server side: pve-manager `PVE/API2/Cluster/Ceph.pm`, `status`. */
export const cephStatusData = defineDataSource({
  type: "proxmox_ceph_status",
  subcategory: "Cluster",
  doc: "The state of the Ceph cluster on the nodes. Requires `Sys.Audit` or `Datastore.Audit` on `/`.",
  attributes: {
    installed: found(bool(), "Whether Ceph runs on the node that answers."),
    health: found(nullable(string()), "`HEALTH_OK`, `HEALTH_WARN` or `HEALTH_ERR`; null without Ceph."),
    problems: found(list(string()), "Names of the checks that have found something, such as `OSD_DOWN`."),
    fsid: found(nullable(string()), "ID of the Ceph cluster; null without Ceph."),
    quorum: found(list(string()), "Monitors that form the quorum."),
  },

  async read({ api, signal }) {
    const status = await api
      .objects("", { path: "/cluster/ceph/status" })
      .get({}, { signal })
      .catch((reason: unknown) => {
        if (isPveError(reason) && /not installed|not initialized/.test(reason.message)) return null;
        throw reason;
      });
    const { status: health, checks } = (status?.["health"] ?? {}) as ConfigObject;
    const quorum = status?.["quorum_names"];
    return {
      installed: status !== null,
      health: typeof health === "string" ? health : null,
      problems: Object.keys((checks ?? {}) as object).sort(),
      fsid: typeof status?.["fsid"] === "string" ? status["fsid"] : null,
      quorum: Array.isArray(quorum) ? quorum.map(String) : [],
    };
  },
});
