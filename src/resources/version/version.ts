import { defineDataSource, found, int, string } from "#kit";

/** `proxmox_version`. Server side: pve-manager `PVE/API2.pm`, `version`. */
export const versionData = defineDataSource({
  type: "proxmox_version",
  subcategory: "Cluster",
  doc: "The version of Proxmox VE on the node that answers. Every user who can log in may read it.",
  attributes: {
    version: found(string(), "Full version of the node's manager package, such as `9.2.3`."),
    release: found(string(), "Release, such as `9.2`."),
    major: found(int(), "First number of the release, such as `9`, for comparisons."),
    minor: found(int(), "Second number of the release, such as `2`."),
    repository_id: found(string(), "Revision of the sources it was built from."),
  },

  async read({ api, signal }) {
    const { version, release, repoid = "" } = await api.cluster.getVersion({ signal });
    const [major = 0, minor = 0] = release.split(".").map(Number);
    return { version, release, major, minor, repository_id: repoid };
  },
});
