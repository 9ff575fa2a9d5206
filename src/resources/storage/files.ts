import {
  bool,
  defineDataSource,
  enumerate,
  Failure,
  found,
  glob,
  inOrder,
  int,
  list,
  map,
  missing,
  nested,
  nodesToAsk,
  nullable,
  type Session,
  storagePlaces,
  string,
  timestamp,
} from "#kit";
import type { Volume } from "#pve";
import { storageContent } from "./storage-content.ts";

/** `proxmox_files`. Server side: pve-storage `src/PVE/API2/Storage/Content.pm`, `index`. */
export const filesData = defineDataSource({
  type: "proxmox_files",
  subcategory: "Storage",
  doc: "What lies on a storage: ISO images, disk images to import, container templates, snippets, backups, disks. Needs `Datastore.Audit` or `Datastore.AllocateSpace` on the storage; disks and backups are shown to who may see their guest.",
  attributes: {
    storage: { type: string(), mode: "required", doc: "Storage to look at." },
    node: {
      type: string(),
      mode: "optional",
      doc: "Node to ask. Not given: any that is online and has the storage, which then must be shared, or be on one node only.",
    },
    content: {
      type: storageContent,
      mode: "optional",
      doc: "Only this kind: `iso` images, `import` (disk images to make VMs from), `vztmpl` (container templates), `snippets`, `backup`, `images` (disks of VMs) or `rootdir` (of containers).",
    },
    name: {
      type: string(),
      mode: "optional",
      doc: "Only files of this name; `*` and `?` stand for any characters, any one character.",
    },
    newest: {
      type: bool(),
      mode: "optional",
      doc: "Whether to keep only the one of the matches that was created last, if there is any. What a storage gives no time for counts as oldest.",
    },
    volume_ids: found(
      map(string()),
      "Volume ID by name of the file, as `proxmox_vm` takes it. Of files of different kinds with the same name, the first in the list; `content` keeps them apart.",
    ),
    files: found(
      list(
        nested({
          volume_id: found(string(), "Volume ID, such as `local:iso/debian-13.iso`."),
          name: found(string(), "Name of the file, or of the volume, without storage and folder."),
          content: found(nullable(string()), "Kind of content, as in `content`."),
          format: found(nullable(string()), "Format, such as `iso`, `qcow2`, `raw` or `tzst`."),
          size_bytes: found(nullable(int()), "Its size, or an upper bound where the storage cannot tell exactly."),
          created: found(nullable(string()), "When it was created, as RFC 3339 text, if the storage keeps that."),
          vmid: found(nullable(int()), "Guest it belongs to."),
          protected: found(bool(), "Whether it, a backup, is protected from being removed."),
          notes: found(nullable(string()), "First line of a backup's notes."),
        }),
      ),
      "What was found, ordered by volume ID.",
    ),
  },

  async read({ api, config, signal }) {
    const { storage, content, name } = config;
    const node = await nodeWith(api, storage, config.node, content);
    const volumes = await api.storage.listVolumes(node, storage, content === null ? {} : { content }, { signal });
    const isWanted = name === null ? () => true : glob(name);
    const matches = inOrder(
      volumes.filter(({ volid }) => isWanted(nameOf(volid))),
      ({ volid }) => [volid],
    );
    const kept = config.newest ? matches.toSorted(byAge).slice(0, 1) : matches;
    const files = kept.map(describe);
    return {
      // The first of a name wins, so it is entered last.
      volume_ids: Object.fromEntries(files.map((file) => [file.name, file.volume_id] as const).reverse()),
      files,
    };
  },
});

/** A node that can list the storage. A caller who may see the storage gets the reason from here, others from PVE. */
async function nodeWith(api: Session, storage: string, wanted: string | null, content: string | null): Promise<string> {
  const online = await nodesToAsk(api, wanted);
  const places = (await storagePlaces(api, storage)).filter(({ node }) => online.includes(node));
  const [place] = places;
  if (place === undefined) {
    if (wanted !== null) return wanted;
    const names = (await api.inventory.snapshot()).storages.map((one) => one.storage);
    const among = { names, where: "on a node that is online, or you lack Datastore.Audit on it" };
    const { summary, detail } = missing({ kind: "storage", name: storage, among }, names);
    throw new Failure(summary, detail, { path: "storage" });
  }
  if (content !== null && place.content && !place.content.includes(content)) {
    throw new Failure(
      "No such content",
      `The storage \`${storage}\` holds no \`${content}\`. It is set up for ${enumerate(place.content)}.`,
      { path: "content" },
    );
  }
  if (places.length > 1 && !place.shared) {
    throw new Failure(
      "Node needed",
      `The storage \`${storage}\` is another one on each node. Say which \`node\` to look at: ${enumerate(places.map(({ node }) => node))}.`,
      { path: "node" },
    );
  }
  return place.node;
}

const nameOf = (volid: string): string => volid.replace(/^.*[:/]/, "");

const byAge = (a: Volume, b: Volume): number => (b.ctime ?? 0) - (a.ctime ?? 0);

function describe(volume: Volume) {
  return {
    volume_id: volume.volid,
    name: nameOf(volume.volid),
    content: volume.content ?? null,
    format: volume.format ?? null,
    size_bytes: volume.size ?? volume["approximate-size"] ?? null,
    created: volume.ctime === undefined ? null : timestamp(volume.ctime),
    vmid: volume.vmid ?? null,
    protected: volume.protected ?? false,
    notes: volume.notes ?? null,
  };
}
