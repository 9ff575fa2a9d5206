import { enumerate, Failure, type Session } from "#kit";
import { type DiskId, findVolume, partsOf } from "./disk-volume.ts";

interface Importing {
  readonly api: Session;
  readonly id: string;
}

/** By volume ID, with the node before it where several nodes have a storage of that name. */
export async function importDisk({ api, id }: Importing): Promise<DiskId> {
  const [, given, volume = ""] = /^(?:([^/:]+)\/)?(.*)$/.exec(id) ?? [];
  const parts = partsOf(volume);
  if (parts === null) {
    const detail = `\`${id}\` is not the volume ID of a disk. Write \`nas:900000000/vm-900000000-data.qcow2\`, or \`pve1/local-lvm:vm-900000000-data\` where the storage is another one on each node.`;
    throw new Failure("Not the ID of a disk", detail);
  }
  const { guests, storages, isOnline } = await api.inventory.snapshot();
  const owner = guests.get(parts.owner);
  if (owner !== undefined) {
    const detail = `\`${volume}\` belongs to guest ${parts.owner}, and is destroyed with it. Only a volume whose owner is no guest outlives VMs. Manage it in \`disks\` of that VM, or copy its data to a \`proxmox_disk\`.`;
    throw new Failure("Disk of a guest", detail);
  }
  if (given !== undefined) return { node: given, volume };
  const places = storages.filter(({ storage, node }) => storage === parts.storage && isOnline(node));
  const isShared = places.some(({ shared }) => shared);
  const asked = places.map(({ node }) => node).sort();
  const look = async (node: string) => ((await findVolume(api, { node, volume })) === null ? [] : [node]);
  const [only, ...others] = (await Promise.all((isShared ? asked.slice(0, 1) : asked).map(look))).flat();
  if (only === undefined) throw new Failure("No such volume", `There is no \`${volume}\` on ${enumerate(asked)}.`);
  if (others.length > 0) {
    const detail = `\`${volume}\` is on ${enumerate([only, ...others])}. Say which one: \`${only}/${volume}\`.`;
    throw new Failure("Several volumes have this ID", detail);
  }
  return { node: only, volume };
}
