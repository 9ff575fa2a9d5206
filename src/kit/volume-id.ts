import type { VolumeId } from "#pve";

/** Null for what is no volume id. The client, which knows them, is loaded when one is looked at: schemas need none. */
export async function parseVolumeId(text: string): Promise<VolumeId | null> {
  const pve = await import("#pve");
  return pve.parseVolumeId(text);
}
