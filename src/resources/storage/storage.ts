import { defineCrud } from "#kit";
import { storagesMovedFrom } from "./moved-from.ts";
import { guardKey, warnOfRemoval } from "./plan-storage.ts";
import { storageAttributes } from "./storage-attributes.ts";
import { abilities, storageTypes } from "./types/abilities.ts";
import { warnOfMissing } from "./types/requirements.ts";
import { typeIn, validateStorage } from "./validate-storage.ts";

/** `proxmox_storage`. Server side: pve-storage `src/PVE/API2/Storage/Config.pm`, `src/PVE/Storage/*Plugin.pm`. */
export const storage = defineCrud({
  type: "proxmox_storage",
  subcategory: "Storage",
  doc: "A storage of the cluster: a place for disks, images, templates or backups, under one name on all nodes. One object says of which type it is. Proxmox VE tries it out when it is created, so the server or the device must be there. Destroying it removes the definition, its secrets and what was granted on it; the data stays.",
  noun: "storage",
  path: "/storage/{storage}",
  file: "storage.cfg",
  contactsHosts: true,
  identity: ["id"],
  variants: { names: storageTypes },
  isListWhole: true,
  plannedAs: "storage",
  movedFrom: storagesMovedFrom,
  attributes: storageAttributes,
  validate: validateStorage,

  async plan({ config, prior, planned, set, report }) {
    if (prior !== null) return guardKey({ config, prior, planned, report });
    const type = typeIn(config);
    if (type === null) return;
    if (config.content === null) set("content", [...abilities[type].usual]);
    warnOfMissing(type, config[type] ?? {}, report);
  },
  async planDelete({ id, state, report }, api) {
    if (id.id !== "local") return warnOfRemoval(api, state, report);
    const detail =
      "Proxmox VE always has the storage `local`, and makes it again with its first settings when it is removed. To stop managing it, use a `removed` block with `destroy = false`.";
    report.error(null, "Storage of every cluster", detail);
  },
});
