import { createHash } from "node:crypto";
import { isoImage } from "./iso-image.ts";

/** What cloud-init's NoCloud source reads; a part that is null is left to cloud-init. */
export interface NoCloudData {
  readonly userData: string;
  /** Must say `instance-id`: cloud-init does its first-boot work again when that changes. */
  readonly metaData: string;
  readonly networkData?: string | null | undefined;
  readonly vendorData?: string | null | undefined;
}

/** A disc that cloud-init finds by its label. `user-data` and `meta-data` must both be there, even if they are empty. */
export function buildNoCloudIso({ userData, metaData, networkData, vendorData }: NoCloudData): Uint8Array {
  const parts = [
    ["user-data", userData],
    ["meta-data", metaData],
    ["network-config", networkData],
    ["vendor-data", vendorData],
  ] as const;
  const given = parts.flatMap(([name, text]) => (text === null || text === undefined ? [] : [{ name, text }]));
  const encoder = new TextEncoder();
  return isoImage(
    "cidata",
    given.map(({ name, text }) => ({ name, content: encoder.encode(text) })),
  );
}

/**
 * What the image is called on a storage: another content is another file, so that a VM keeps the one it booted with until
 * it is given the new one, and two VMs never share one.
 */
export function isoFileName(vmid: number, image: Uint8Array): string {
  return `cloud-init-${vmid}-${createHash("sha256").update(image).digest("hex").slice(0, 16)}.iso`;
}
