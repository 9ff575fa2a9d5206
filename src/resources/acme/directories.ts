import { defineDataSource, found, list, nested, string } from "#kit";

/** `proxmox_acme_directories`. Server side: pve-manager `PVE/API2/ACMEAccount.pm`. */
export const acmeDirectoriesData = defineDataSource({
  type: "proxmox_acme_directories",
  subcategory: "Cluster",
  doc: "Certificate authorities and DNS APIs that Proxmox VE knows. Other authorities work, too, by their address.",
  attributes: {
    directories: found(
      list(
        nested({
          name: found(string(), "Name of the authority."),
          url: found(string(), "Address of its directory, for `proxmox_acme_account`."),
        }),
      ),
      "Certificate authorities, in Proxmox VE's order.",
    ),
    dns_apis: found(list(string()), "Names of the DNS APIs, for `dns.api` of `proxmox_acme_plugin`."),
  },

  async read({ api, signal }) {
    const [directories, apis] = await Promise.all([
      api.collect("/cluster/acme/directories", {}, { signal }),
      api.collect("/cluster/acme/challenge-schema", {}, { signal }),
    ]);
    return {
      directories: directories.map(({ name, url }) => ({ name: String(name), url: String(url) })),
      dns_apis: apis
        .filter(({ type }) => type === "dns")
        .map(({ id }) => String(id))
        .sort(),
    };
  },
});
