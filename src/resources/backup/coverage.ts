import { defineCollection, int, oneOf, shown, string } from "#kit";

/** `proxmox_backup_coverage`. Server side: pve-manager `PVE/API2/Cluster/BackupInfo.pm`. */
export const backupCoverageData = defineCollection({
  type: "proxmox_backup_coverage",
  subcategory: "Backup",
  doc: "Guests that no backup job covers; jobs that are disabled count as well. A `check` block can fail on it. Needs `Sys.Audit` on `/`; guests on which the caller lacks `VM.Audit` are not shown.",
  path: "/cluster/backup-info/not-backed-up",
  items: "guests",
  key: "vmid",
  filters: { name: "Only guests of this name", type: "Only guests of this type" },
  attributes: {
    vmid: shown(int(), "vmid", "VMID."),
    name: shown(string(), "name", "Name."),
    type: shown(oneOf(["qemu", "lxc"]), "type", "`qemu` for a VM, `lxc` for a container."),
  },
});
