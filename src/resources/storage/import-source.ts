import {
  defineDataSource,
  enumerate,
  Failure,
  found,
  int,
  list,
  map,
  nested,
  nodesToAsk,
  notFound,
  nullable,
  type Session,
  storagePlaces,
  string,
} from "#kit";

/** `proxmox_import_source`. Server side: pve-storage `src/PVE/API2/Storage/Status.pm`, `get_import_metadata`. */
export const importSourceData = defineDataSource({
  type: "proxmox_import_source",
  subcategory: "Storage",
  doc: 'What is known of a VM that can be imported: an OVA or OVF file on a storage with content `import`, or a VM on a storage of type `esxi`. Proxmox VE proposes options, disks and network devices, and imports nothing. Needs `Datastore.Audit` or `Datastore.AllocateSpace` on the storage. `proxmox_files` with `content = "import"` lists what there is.',
  attributes: {
    volume: {
      type: string({
        check: (id) => (/^[^:/]+:.+$/.test(id) ? undefined : "Must be a volume ID such as `local:import/vm.ova`."),
      }),
      mode: "required",
      doc: "Volume ID, such as `local:import/appliance.ova` or `esxi:ha-datacenter/datastore1/web/web.vmx`.",
    },
    node: {
      type: string(),
      mode: "optional",
      doc: "Node to ask. Left out: any that is online and has the storage.",
    },
    type: found(string(), "What it is: `vm`."),
    name: found(nullable(string()), "Name of the VM."),
    options: found(
      map(string()),
      "Options of a VM as Proxmox VE proposes them, by their names there, such as `cores`, `memory`, `ostype`, `bios` or `boot`.",
    ),
    disks: found(
      map(
        nested({
          volume_id: found(
            nullable(string()),
            "Volume ID of the disk, as `import_from` takes it; null for a device that is made anew, such as `efidisk0`.",
          ),
          size_bytes: found(nullable(int()), "Its size, if it is known."),
        }),
      ),
      "Disks by slot, such as `scsi0`.",
    ),
    networks: found(
      map(
        nested({
          model: found(nullable(string()), "Model, such as `virtio` or `e1000`."),
          mac: found(nullable(string()), "MAC address."),
        }),
      ),
      "Network devices by slot, such as `net0`.",
    ),
    warnings: found(
      list(
        nested({
          type: found(
            string(),
            "What it is about, such as `guest-is-running`, `efi-state-lost` or `ova-needs-extracting`.",
          ),
          key: found(nullable(string()), "Option or device concerned."),
          value: found(nullable(string()), "Its value."),
        }),
      ),
      "What is lost or has to be done.",
    ),
  },

  async read({ api, config, signal }) {
    const [, storage = "", volume = ""] = /^([^:]+):(.+)$/.exec(config.volume) ?? [];
    const node = await nodeWith(api, storage, config.node);
    const found = await api.storage.getImportMetadata(node, storage, volume, { signal });
    const { name, ...rest } = found["create-args"] ?? {};
    return {
      type: found.type,
      name: name ?? null,
      options: { ...rest, ...(name !== undefined && { name }) },
      disks: Object.fromEntries(
        Object.entries(found.disks ?? {}).map(([slot, disk]) => [
          slot,
          typeof disk === "object" && disk !== null
            ? { volume_id: disk.volid ?? null, size_bytes: disk.size ?? null }
            : { volume_id: null, size_bytes: null },
        ]),
      ),
      networks: Object.fromEntries(
        Object.entries(found.net ?? {}).map(([slot, { model = null, macaddr = null }]) => [
          slot,
          { model, mac: macaddr },
        ]),
      ),
      warnings: (found.warnings ?? []).map(({ type, key = null, value = null }) => ({ type, key, value })),
    };
  },
});

async function nodeWith(api: Session, storage: string, given: string | null): Promise<string> {
  const places = (await storagePlaces(api, storage)).map(({ node }) => node);
  if (places.length === 0) {
    const { storages } = await api.inventory.snapshot();
    throw notFound(
      { kind: "storage", name: storage, path: "volume" },
      storages.map((one) => one.storage),
    );
  }
  const online = await nodesToAsk(api, given);
  const node = online.find((one) => places.includes(one));
  if (node !== undefined) return node;
  const detail = `Storage \`${storage}\` is on ${enumerate(places)}, and none of them can be asked now.`;
  throw new Failure("Storage is not there", detail, { path: given === null ? "volume" : "node" });
}
