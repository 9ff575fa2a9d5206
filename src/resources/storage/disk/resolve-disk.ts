import { alternatives, type Report, type Session } from "#kit";
import { checkPlace } from "../file-place.ts";
import { type DiskParts, keepsFiles, volumeIdOf } from "./disk-volume.ts";

/** What is configured. `undefined`: not known yet; `null`: not given. */
export interface WantedDisk {
  readonly storage: string | undefined;
  readonly node: string | null | undefined;
  readonly name: string | undefined;
  readonly format: string | null | undefined;
  readonly owner: number | null | undefined;
}

export interface ResolvedDisk {
  readonly node: string | undefined;
  readonly owner: number | undefined;
  /** Undefined as long as a part of the volume's name is not known. */
  readonly parts: DiskParts | undefined;
  readonly isFile: boolean;
  readonly volume: string | undefined;
}

/** Where the volume goes and what it is called. Refuses what cannot be. */
export async function resolveDisk(api: Session, report: Report, wanted: WantedDisk): Promise<ResolvedDisk> {
  const { storage, name } = wanted;
  const owner = await checkOwner(api, report, wanted.owner);
  const node = await checkPlace(api, report, { storage, node: wanted.node, content: "images" });
  if (!storage || !node || !name || owner === undefined || report.failed || wanted.format === undefined) {
    return { node, owner, parts: undefined, isFile: false, volume: undefined };
  }
  const all = await api.store.remember(`formats on ${node}`, () => api.storage.listOnNode(node, { format: true }));
  const found = all.find((one) => one.storage === storage);
  // A storage that this plan creates.
  if (found === undefined) return { node, owner, parts: undefined, isFile: false, volume: undefined };
  const isFile = keepsFiles(found.type);
  const supported = (found.formats?.supported ?? ["raw"]).filter((format) => format !== "subvol");
  const format = wanted.format ?? (supported.includes(found.formats?.default ?? "") ? found.formats?.default : "raw");
  if (!supported.includes(format ?? "")) {
    const detail = `Storage \`${storage}\` cannot hold \`${format}\` images. ${alternatives(String(format), supported)} Leave \`format\` out to use the storage's own.`;
    report.error("format", "Format not available", detail);
  }
  const parts = { storage, owner, name, format: format ?? "raw" };
  return { node, owner, parts, isFile, volume: volumeIdOf(parts, isFile) };
}

/** The owner must not be a guest: that could take its volumes with it. */
async function checkOwner(api: Session, report: Report, given: number | null | undefined): Promise<number | undefined> {
  const { first, last } = api.settings.diskOwners;
  if (given === undefined) return undefined;
  const owner = given ?? first;
  if (owner < first || owner > last) {
    const detail = `${owner} is not within ${first}-${last}, which the provider reserves for disks. Choose one of them, or set \`disk_owners\` of the provider to a range that contains it.`;
    report.error("owner", "Not a VMID for disks", detail);
  }
  const { guests } = await api.inventory.snapshot();
  const guest = guests.get(owner);
  if (guest !== undefined) {
    const detail = `VMID ${owner} is a ${guest.type === "lxc" ? "container" : "VM"} on ${guest.node}, and a volume of that owner can be destroyed with it. Choose another \`owner\`, or another range in \`disk_owners\` of the provider.`;
    report.error("owner", "The owner is a guest", detail);
  }
  return owner;
}
