import { bytesOf, isSlot } from "#kit";
import { type GuestConfig, type InventoryGuest, orNull, type PveClient, parseVolumeId } from "#pve";
import { markOf } from "../../../resources/guest/mark.ts";
import { families } from "../../../resources/vm/slots.ts";
import { type Age, ageOf } from "./age.ts";

/** VMs with the same name, the oldest first. */
export interface Group {
  readonly name: string;
  readonly vms: readonly DuplicateVm[];
}

/** The facts that distinguish VMs with the same name. */
export interface DuplicateVm {
  readonly vmid: number;
  readonly node: string;
  readonly status: string;
  /** Seconds; undefined unless it runs. */
  readonly uptime: number | undefined;
  readonly isTemplate: boolean;
  readonly isProtected: boolean;
  /** An interrupted create has left it, and the next apply resumes it. */
  readonly isUnfinished: boolean;
  readonly lock: string | undefined;
  readonly tags: readonly string[];
  readonly pool: string | undefined;
  readonly disks: readonly Disk[];
  readonly made: Age | undefined;
}

export interface Disk {
  readonly slot: string;
  readonly volume: string;
  readonly storage: string;
  readonly bytes: number | undefined;
  /** Unix seconds, where the storage stores it. */
  readonly created: number | undefined;
}

export async function findDuplicates(client: PveClient): Promise<readonly Group[]> {
  const vms = await client.inventory.list("qemu");
  const named = Map.groupBy(
    vms.filter(({ name }) => name !== undefined),
    ({ name = "" }) => name,
  );
  const several = [...named].filter(([, same]) => same.length > 1).sort(([a], [b]) => (a < b ? -1 : 1));
  return Promise.all(
    several.map(async ([name, same]) => {
      const twins = await Promise.all(same.map((vm) => lookAt(client, vm)));
      return { name, vms: twins.sort((a, b) => (a.made?.at ?? 0) - (b.made?.at ?? 0) || a.vmid - b.vmid) };
    }),
  );
}

async function lookAt(client: PveClient, vm: InventoryGuest): Promise<DuplicateVm> {
  const [config, current] = await Promise.all([
    vm.isStale ? null : client.qemu.findConfig(vm),
    vm.status === "running" && !vm.isStale ? orNull(client.qemu.getStatus(vm)) : null,
  ]);
  const disks = config === null ? [] : await disksOf(client, vm, config);
  const { vmid, node, status, isTemplate, tags, pool, lock } = vm;
  return {
    ...{ vmid, node, status, isTemplate, tags, pool, lock, disks },
    uptime: current?.uptime,
    isProtected: config?.options["protection"] === "1",
    isUnfinished: markOf(config?.description) !== null,
    made: await ageOf(client, vm, { volumes: disks.flatMap(({ created }) => created ?? []), config }),
  };
}

const holdsVolume = (option: string): boolean => isSlot(option, { ...families.volumes, ...families.unused });

async function disksOf(client: PveClient, { vmid, node }: InventoryGuest, { options }: GuestConfig): Promise<Disk[]> {
  const drives = Object.entries(options).flatMap(([slot, line]) => {
    const [volume = "", ...rest] = line.split(",");
    const id = holdsVolume(slot) && !rest.includes("media=cdrom") ? parseVolumeId(volume) : null;
    return id === null ? [] : [{ slot, volume, storage: id.storage, size: /(?:^|,)size=([^,]+)/.exec(line)?.[1] }];
  });
  const storages = [...new Set(drives.map(({ storage }) => storage))];
  // Volumes are visible to callers that may configure the VM's disks; for others their age is unknown.
  const lists = storages.map((storage) => client.storage.listVolumes(node, storage, { vmid }).catch(() => []));
  const volumes = new Map((await Promise.all(lists)).flat().map((volume) => [volume.volid, volume]));
  return drives.map(({ size, ...drive }) => ({
    ...drive,
    bytes: (size === undefined ? null : bytesOf(size)) ?? volumes.get(drive.volume)?.size,
    created: volumes.get(drive.volume)?.ctime,
  }));
}
