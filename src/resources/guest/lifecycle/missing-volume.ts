import type { GuestDelete } from "../context.ts";
import type { FoundGuest } from "./find.ts";

/**
 * PVE destroys no container with a volume that does not exist, as after an attempt that failed at another volume (pve-container:
 * src/PVE/LXC.pm, `destroy_lxc_container`). An empty volume in its place is removed together with the container. Returns
 * whether it was made.
 */
export async function replaceMissingVolume(
  { api, id, log, signal }: GuestDelete,
  { node, config }: FoundGuest,
  reason: unknown,
): Promise<boolean> {
  const filename = reason instanceof Error ? api.readMissingVolume(reason.message) : null;
  const volumes = Object.values(config.options).map((line) => line.split(",")[0] ?? "");
  // A linked clone's is `storage:base/name`, and the storage knows it by its name.
  const candidates = volumes.filter((one) => one.endsWith(`:${filename}`) || one.endsWith(`/${filename}`));
  if (filename === null) return false;
  // Volumes of two storages can have the same name; a storage refuses the one that it has.
  for (const volume of candidates) {
    const [storage = ""] = volume.split(":");
    try {
      await api.storage.createVolume(node, storage, { vmid: id.vmid, filename, size: "4M" }, { signal });
      return true;
    } catch (refusal) {
      log.debug("the missing volume cannot be replaced", { volume, error: String(refusal) });
    }
  }
  return false;
}
