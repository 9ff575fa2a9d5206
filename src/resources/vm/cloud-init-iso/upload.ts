import { Readable } from "node:stream";
import { type Session, step } from "#kit";
import type { VmAddress } from "#pve";
import { buildNoCloudIso, isoFileName, type NoCloudData } from "./no-cloud.ts";

interface Uploading {
  readonly api: Session;
  readonly log: Parameters<typeof step>[0];
  readonly signal: AbortSignal;
}

/** Puts a VM's cloud-init data on a storage as an ISO image, unless it is there already. Returns its volume. */
export async function uploadNoCloudIso(
  { api, log, signal }: Uploading,
  { node, vmid }: VmAddress,
  storage: string,
  data: NoCloudData,
): Promise<string> {
  const image = buildNoCloudIso(data);
  const name = isoFileName(vmid, image);
  const volume = `${storage}:iso/${name}`;
  const present = await api.storage.listVolumes(node, storage, { content: "iso" }, { signal });
  if (present.some(({ volid }) => volid === volume)) return volume;
  await step(log, "cloud-init", { vmid, volume }, async () => {
    const file = { fileName: name, size: image.length, open: () => Readable.from([image]) };
    const upid = await api.storage.upload(node, storage, { content: "iso" }, file, { signal });
    await api.watch.wait(upid, { signal });
  });
  return volume;
}
