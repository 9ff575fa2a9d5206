import type { PveClient, Volume } from "#pve";
import type { Leftover } from "./leftover.ts";

/** On those storages: files and disks of no guest whose name starts with the prefix, and backups whose notes do. */
export async function leftVolumes(client: PveClient, storages: readonly string[], prefix: string): Promise<Leftover[]> {
  const listed = await Promise.all(storages.map((storage) => volumesOf(client, storage)));
  const found = listed.flat().filter(({ volume }) => nameOf(volume)?.startsWith(prefix));
  const used = found.length === 0 ? "" : await disksOfGuests(client);
  return found.map(({ node, storage, volume }) => ({
    title: volume.volid,
    details: [node, volume.content ?? ""],
    obstacle: obstacleTo(volume, used),
    async remove() {
      const upid = await client.storage.removeVolume(node, storage, volume.volid);
      if (upid !== null) await client.watch.wait(upid);
    },
  }));
}

interface Placed {
  readonly node: string;
  readonly storage: string;
  readonly volume: Volume;
}

/** Of every node that has the storage; a shared one has the same volumes on each. */
async function volumesOf(client: PveClient, storage: string): Promise<Placed[]> {
  const { storages } = await client.inventory.snapshot();
  const places = storages.filter((one) => one.storage === storage && one.status === "available");
  if (places.length === 0) throw new Error(`storage ${storage} does not exist, or the token may not see it`);
  const nodes = (places.some(({ shared }) => shared) ? places.slice(0, 1) : places).map(({ node }) => node);
  const listed = nodes.map(async (node) =>
    (await client.storage.listVolumes(node, storage)).map((volume) => ({ node, storage, volume })),
  );
  return (await Promise.all(listed)).flat();
}

/** The part of a name that its creator chose: of a disk, what follows its owner; of a backup, the notes. */
function nameOf({ volid, content, notes }: Volume): string | undefined {
  if (content === "backup") return notes;
  const name = volid.slice(Math.max(volid.lastIndexOf("/"), volid.indexOf(":")) + 1);
  return content === "images" || content === "rootdir" ? /^(?:vm|subvol)-\d+-(.+)$/.exec(name)?.[1] : name;
}

function obstacleTo({ volid, protected: isProtected }: Volume, used: string): string | undefined {
  if (isProtected) return "is protected";
  return used.includes(volid) ? "a guest uses it" : undefined;
}

/** The settings of every guest that the token may see, as one text. */
async function disksOfGuests(client: PveClient): Promise<string> {
  const listed = (["qemu", "lxc"] as const).map(async (type) => {
    const guests = (await client.inventory.list(type)).filter(({ isStale }) => !isStale);
    const configs = await Promise.all(guests.map(({ node, vmid }) => client[type].getConfig({ node, vmid })));
    return configs.map(({ options }) => Object.values(options).join("\n")).join("\n");
  });
  return (await Promise.all(listed)).join("\n");
}
