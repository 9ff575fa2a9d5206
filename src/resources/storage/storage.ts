import { defineCrud } from "#kit";
import { storageAttributes } from "./storage-attributes.ts";
import { abilities, storageTypes } from "./types/abilities.ts";
import { typeIn, validateStorage } from "./validate-storage.ts";

/** `proxmox_storage`. Server side: pve-storage `src/PVE/API2/Storage/Config.pm`, `src/PVE/Storage/*Plugin.pm`. */
export const storage = defineCrud({
  type: "proxmox_storage",
  subcategory: "Storage",
  doc: "A storage of the cluster: a place for disks, images, templates or backups, under one name on all nodes. One object says of which type it is. Proxmox VE tries it out when it is created, so the server or the device must be there. Destroying it removes the definition and what was granted on it; the data stays.",
  noun: "storage",
  path: "/storage/{storage}",
  file: "storage.cfg",
  identity: ["id"],
  variants: { names: storageTypes },
  isListWhole: true,
  plannedAs: "storage",
  attributes: storageAttributes,
  validate: validateStorage,

  async plan({ config, prior, set }) {
    const type = typeIn(config);
    if (prior === null && config.content === null && type !== null) set("content", [...abilities[type].usual]);
  },
  async planDelete({ id, report }) {
    if (id.id !== "local") return;
    const detail =
      "Proxmox VE always has the storage `local`, and makes it again with its first settings when it is removed. To stop managing it, use a `removed` block with `destroy = false`.";
    report.error(null, "Storage of every cluster", detail);
  },
});
