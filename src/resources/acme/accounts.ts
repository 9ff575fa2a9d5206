import { defineCollection, shown, string } from "#kit";

/** `proxmox_acme_accounts`. Server side: pve-manager `PVE/API2/ACMEAccount.pm`, `account_index`. */
export const acmeAccountsData = defineCollection({
  type: "proxmox_acme_accounts",
  subcategory: "Cluster",
  doc: "Accounts with certificate authorities, by name. Any caller may list them; only `root@pam` may see more of them.",
  path: "/cluster/acme/account",
  items: "accounts",
  key: "name",
  filters: { name: "Only accounts of this name" },
  attributes: { name: shown(string(), "name", "Name of the account.") },
});
