import {
  bool,
  defineDataSource,
  found,
  getNode,
  inOrder,
  int,
  list,
  map,
  nested,
  notFound,
  nullable,
  oneOf,
  type Session,
  storagePlaces,
  string,
  timestamp,
} from "#kit";
import type { Volume } from "#pve";
import { vmid } from "./options.ts";

const guestTypes = { qemu: "vm", lxc: "container" } as const;

/** `proxmox_backups`. Server side: pve-storage `src/PVE/API2/Storage/Content.pm`, `index`. */
export const backupsData = defineDataSource({
  type: "proxmox_backups",
  subcategory: "Backup",
  doc: "Backups of guests, newest first. Needs `Datastore.AllocateSpace` on the storages and `VM.Backup` on the guests; others are not shown. Nodes that are offline cannot be asked.",
  attributes: {
    storage: {
      type: string(),
      mode: "optional",
      doc: "Only backups on this storage. Left out: on every storage with content `backup`.",
    },
    node: {
      type: string(),
      mode: "optional",
      doc: "Only what this node sees. Left out: every node that is online; shared storages are read once.",
    },
    vmid: { type: vmid, mode: "optional", doc: "Only backups of this guest." },
    type: { type: oneOf(["vm", "container"]), mode: "optional", doc: "Only backups of VMs, or of containers." },
    protected: {
      type: bool(),
      mode: "optional",
      doc: "Only backups that are protected from being removed, or only those that are not.",
    },
    newest: found(map(string()), "Volume ID of the newest backup of each guest, by its VMID."),
    backups: found(
      list(
        nested({
          volume_id: found(string(), "Volume ID, such as `nas:backup/vzdump-qemu-101-2026_01_01-00_00_00.vma.zst`."),
          storage: found(string(), "Storage."),
          node: found(string(), "Node that sees it."),
          vmid: found(nullable(int()), "Guest; null if the name of the file does not tell it."),
          type: found(nullable(string()), "`vm` or `container`."),
          created: found(nullable(string()), "When it was made, as RFC 3339 text."),
          size_bytes: found(nullable(int()), "Its size."),
          format: found(nullable(string()), "Format, such as `vma.zst` or `tar.zst`."),
          protected: found(bool(), "Whether it is protected from being removed."),
          encrypted: found(bool(), "Whether it is encrypted, on a Proxmox Backup Server."),
          notes: found(nullable(string()), "First line of its notes."),
        }),
      ),
      "The backups, newest first.",
    ),
  },

  async read({ api, config, signal }) {
    const filter = { content: "backup", ...(config.vmid !== null && { vmid: config.vmid }) };
    const places = await placesOf(api, config.storage, config.node);
    const listed = await Promise.all(
      places.map(async ({ node, storage }) => {
        const volumes = await api.storage.listVolumes(node, storage, filter, { signal });
        return volumes.map((volume) => shown(volume, node, storage));
      }),
    );
    const wanted = listed
      .flat()
      .filter((one) => config.type === null || one.type === config.type)
      .filter((one) => config.protected === null || one.protected === config.protected);
    const backups = inOrder(wanted, ({ created, volume_id }) => [created ?? "", volume_id]).reverse();
    const newest = new Map<string, string>();
    for (const { vmid: id, volume_id } of backups) {
      if (id !== null && !newest.has(String(id))) newest.set(String(id), volume_id);
    }
    return { newest: Object.fromEntries(newest), backups };
  },
});

/** Where to look: a shared storage on one node. */
async function placesOf(api: Session, storage: string | null, node: string | null) {
  const { storages, isOnline } = await api.inventory.snapshot();
  if (node !== null) await getNode(api, node);
  if (storage !== null && (await storagePlaces(api, storage)).length === 0) {
    throw notFound(
      { kind: "storage", name: storage, path: "storage" },
      storages.map((one) => one.storage),
    );
  }
  const fitting = storages
    .filter((one) => isOnline(one.node) && (node === null || one.node === node))
    .filter((one) => (storage === null ? one.content?.includes("backup") : one.storage === storage));
  const once = new Map(fitting.map((one) => [one.shared ? one.storage : `${one.node}/${one.storage}`, one]));
  return [...once.values()];
}

function shown(volume: Volume, node: string, storage: string) {
  const { volid, vmid: id, ctime, size, format, notes } = volume;
  const subtype = volume["subtype"] as keyof typeof guestTypes | undefined;
  return {
    volume_id: volid,
    storage,
    node,
    vmid: id ?? null,
    type: (subtype && guestTypes[subtype]) ?? null,
    created: ctime === undefined ? null : timestamp(ctime),
    size_bytes: size ?? null,
    format: format ?? null,
    protected: volume.protected ?? false,
    encrypted: volume["encrypted"] !== undefined,
    notes: notes ?? null,
  };
}
