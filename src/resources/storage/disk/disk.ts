import {
  afterDestroyData,
  attachmentsOf,
  bool,
  bytesOf,
  defineResource,
  int,
  isSharedStorage,
  matches,
  notEmpty,
  notEmptyIfGiven,
  notImportable,
  nullable,
  oneOf,
  persistentDisks,
  size,
  sizeOf,
  string,
} from "#kit";
import { nodeToAsk } from "../file-place.ts";
import { createDisk } from "./create-disk.ts";
import { diskType, findVolume, isOfPve, partsOf } from "./disk-volume.ts";
import { growDisk } from "./grow-disk.ts";
import { importDisk } from "./import-disk.ts";
import { planDisk, planDiskDelete } from "./plan-disk.ts";
import { removeDisk } from "./remove-disk.ts";

const nameText = matches(
  /^[A-Za-z0-9][A-Za-z0-9-]{0,39}$/,
  "at most 40 letters, digits and `-`, beginning with a letter or a digit",
);

const replace = afterDestroyData;

/** `proxmox_disk`. Server side: pve-storage `src/PVE/API2/Storage/Content.pm`. */
export const disk = defineResource({
  type: diskType,
  subcategory: "Storage",
  doc: "A disk that belongs to no VM and outlives them all. Give `volume` to a slot of a VM: `disks = { scsi1 = { volume = proxmox_disk.data.volume } }`. The VM can be replaced or destroyed, and the disk attached to another one in the same apply; its data stays. Its volume is owned by a VMID that no guest has, and Proxmox VE deletes volumes only with their owner. It is destroyed only after `destroy_data = true` was applied. See the guide [Disks that outlive VMs](../guides/disks.md). Needs `Datastore.AllocateSpace` and `Datastore.Allocate` on the storage.",
  label: ({ volume, name }) => `disk ${String(volume ?? name)}`,
  identity: ["node", "volume"],
  /** The size that was last applied. */
  privateState: { size: null } as { size: string | null },
  attributes: {
    storage: {
      type: notEmpty,
      mode: "required",
      replace,
      doc: "Storage of the volume, which must take `images`. A disk cannot be moved to another storage: Proxmox VE would give the copy to the VM that it is attached to.",
    },
    node: {
      type: notEmptyIfGiven,
      mode: "optional_computed",
      keep: true,
      undo: "ignore",
      replace: { when: `${replace.when}; on a shared storage, another node is no change` },
      doc: "Node of the volume, where several nodes have a storage of this name that is not shared. Only VMs on this node can use such a disk. On a shared storage: a node through which it is reached.",
    },
    name: {
      type: string({
        check: (text) =>
          nameText(text) ?? (isOfPve(text) ? "Must not be a name that Proxmox VE uses itself." : undefined),
      }),
      mode: "required",
      replace,
      doc: "Name of the disk. The volume is called `vm-OWNER-NAME`.",
    },
    size: {
      type: size({ multipleOf: "M", min: "4M" }),
      mode: "required",
      doc: "Size, such as `100G`. It can only grow: through the VM that has the disk, while it runs; for a disk that no VM has, through a VM that exists only for that moment.",
    },
    format: {
      type: oneOf(["raw", "qcow2", "vmdk"]),
      mode: "optional_computed",
      keep: true,
      undo: "ignore",
      replace,
      doc: "Image format, where the storage offers a choice. On a directory only `qcow2` can have snapshots. Left out: as the storage chooses.",
    },
    owner: {
      type: int({ min: 100, max: 999_999_999 }),
      mode: "optional_computed",
      keep: true,
      undo: "ignore",
      replace,
      doc: "VMID that owns the volume, within `disk_owners` of the provider. No guest has it; permissions on `/vms/OWNER` decide who may attach the disk. Left out: the first of the range.",
    },
    on_existing: {
      type: oneOf(["refuse", "adopt"]),
      mode: "optional",
      local: true,
      doc: "What to do if the volume exists already: `refuse` (default), or `adopt` to take it over with its data, provided that it has the given size and that no guest has it. `adopt` lets an apply continue after one that was killed.",
    },
    destroy_data: {
      type: bool(),
      mode: "optional",
      local: true,
      doc: "Whether the disk may be destroyed with its data. It must be applied before. Left out: the plan refuses to destroy or replace the disk.",
    },
    volume: {
      type: string(),
      mode: "computed",
      keep: true,
      instead: "Set `storage` and `name`; to manage a volume that exists, import it.",
      doc: "The volume ID, as `disks.SLOT.volume` of `proxmox_vm` takes it.",
    },
    vmid: {
      type: nullable(int()),
      mode: "computed",
      keep: true,
      volatile: true,
      instead: "A VM takes the disk: set `disks.SLOT.volume` of `proxmox_vm`.",
      doc: "VM that it is attached to; null if there is none.",
    },
    slot: {
      type: nullable(string()),
      mode: "computed",
      keep: true,
      volatile: true,
      instead: "A VM takes the disk: set `disks.SLOT.volume` of `proxmox_vm`.",
      doc: "Slot of that VM; null if there is none.",
    },
  },

  plan: (context) => (context.api ? planDisk(context, context.api) : undefined),
  planDelete: (context) => (context.api ? planDiskDelete(context, context.api) : undefined),
  create: createDisk,

  async read({ api, id, state, purpose, report }) {
    const parts = partsOf(id.volume);
    if (parts === null) return null;
    const node = await nodeToAsk(api, id.node, parts.storage);
    if (node === null) {
      if (state === null) throw notImportable(id.node, id.volume);
      report.warning(null, `Node ${id.node} is offline`, `${id.volume} is taken to be as it was.`);
      return {
        ...parts,
        ...id,
        size: state?.size ?? "0",
        vmid: state?.vmid ?? null,
        slot: state?.slot ?? null,
      } as never;
    }
    const found = await findVolume(api, { node, volume: id.volume }, purpose === "refresh" ? "refresh" : "now");
    if (found === null) return null;
    const isShared = await isSharedStorage(api, parts.storage);
    const place = { volume: id.volume, node: isShared ? null : id.node };
    const now = roundedTo(state?.size, found.bytes);
    const known = persistentDisks(api).get(id.volume);
    persistentDisks(api).set(id.volume, {
      node: place.node,
      size: now,
      isGrown: known?.isGrown ?? false,
      isRefreshed: purpose === "refresh",
    });
    const attachments = attachmentsOf(api);
    const last = state?.vmid ? await attachments.in(state.vmid, place) : null;
    // A new disk is attached to nothing.
    const all = last || purpose === "create" ? [] : await attachments.of(place);
    const holder = last ?? all.find(({ snapshot }) => snapshot === null);
    return { ...parts, ...id, size: now, vmid: holder?.vmid ?? null, slot: holder?.slot ?? null } as never;
  },

  update: growDisk,
  delete: removeDisk,
  import: importDisk,
});

/** LVM and others round up to whole extents, which is not growth. */
function roundedTo(known: string | undefined, bytes: number): string {
  const wanted = bytesOf(known ?? "") ?? Number.NaN;
  return known !== undefined && bytes >= wanted && bytes - wanted < 4 * 2 ** 20 ? known : sizeOf(bytes);
}
