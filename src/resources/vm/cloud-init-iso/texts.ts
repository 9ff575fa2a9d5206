import { createHash } from "node:crypto";
import { buildNoCloudIso, isoFileName, type NoCloudData } from "./no-cloud.ts";

/** The texts as a configuration gives them: null is not given, undefined not known yet. */
export interface Texts {
  readonly user_data?: string | null | undefined;
  readonly network_data?: string | null | undefined;
  readonly meta_data?: string | null | undefined;
  readonly vendor_data?: string | null | undefined;
}

const names = ["user_data", "network_data", "meta_data", "vendor_data"] as const;

/** The write-only form of each, which only the configuration has. */
export type HiddenTexts = { readonly [name in `${(typeof names)[number]}_wo`]?: string | null | undefined };

/** Each text in whichever form it is given. */
export function textsOf(plain: Texts, hidden: HiddenTexts | null | undefined): Texts {
  const given = names.map((name) => [
    name,
    plain[name] === null ? (hidden ? hidden[`${name}_wo`] : null) : plain[name],
  ]);
  return Object.fromEntries(given) as Texts;
}

export const hasHidden = (hidden: HiddenTexts | null | undefined): boolean =>
  Boolean(hidden && names.some((name) => hidden[`${name}_wo`] !== null));

/** A state with the image in place of the write-only text that it was made of, and that no state has. */
export function withImageAsText<S extends { readonly cloud_init?: Texts | null | undefined }>(
  state: S,
  image: string | null,
): S {
  return state.cloud_init && image !== null
    ? { ...state, cloud_init: { ...state.cloud_init, user_data: image } }
    : state;
}

/** The content of the disc. Null: nothing. Undefined: not known yet. */
export function noCloudData(texts: Texts, name: string | null | undefined): NoCloudData | null | undefined {
  const { user_data: userData, network_data: networkData, meta_data: metaData, vendor_data: vendorData } = texts;
  if (userData === null) return null;
  const isKnown = [networkData, metaData, vendorData].every((text) => text !== undefined);
  if (userData === undefined || !isKnown || (metaData === null && name === undefined)) return undefined;
  return {
    userData,
    metaData: metaData ?? ownMetaData([userData, networkData, vendorData], name),
    networkData,
    vendorData,
  };
}

/** Other data makes another instance, as with PVE's own drive: cloud-init then does its first-boot work again. */
function ownMetaData(parts: readonly (string | null | undefined)[], name: string | null | undefined): string {
  const instance = createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 40);
  return `instance-id: ${instance}\n${name ? `local-hostname: ${name}\n` : ""}`;
}

/** Stands for an image that is not made yet, or is gone, in a drive that is to be known as cloud-init's. */
export const someImage = (storage: string, vmid: number): string =>
  `${storage}:iso/cloud-init-${vmid}-${"0".repeat(16)}.iso`;

export const imageVolume = (storage: string, vmid: number, data: NoCloudData): string =>
  `${storage}:iso/${isoFileName(vmid, buildNoCloudIso(data))}`;
