import { type FileWork, findFile, inMemory, sendFile, step, volumeIdOf } from "#kit";
import type { GuestAddress } from "#pve";
import { buildNoCloudIso, isoFileName, type NoCloudData } from "./no-cloud.ts";

/** Puts a VM's cloud-init data on a storage as an ISO image, unless it is there already. Returns its volume. */
export async function uploadNoCloudIso(
  work: FileWork,
  { node, vmid }: GuestAddress,
  storage: string,
  data: NoCloudData,
): Promise<string> {
  const image = buildNoCloudIso(data);
  const place = { storage, content: "iso", name: isoFileName(vmid, image) } as const;
  const volume = volumeIdOf(place);
  if ((await findFile(work, { node, volume_id: volume })) !== null) return volume;
  await step(work.log, "cloud-init", { vmid, volume }, () => sendFile(work, node, place, inMemory(image)));
  return volume;
}
