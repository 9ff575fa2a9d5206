import type { RawConfig, Session } from "#kit";
import type { GuestCreate } from "../guest/context.ts";
import { storageOf } from "../guest/volume.ts";
import type { VmDesired } from "./contexts.ts";
import { emptyConfig } from "./plan/predict.ts";

/** A VM in a file or on another host, as PVE proposes to create it. */
export interface ImportableVm {
  readonly options: Readonly<Record<string, string>>;
  /** By slot. A drive without a volume is made anew. */
  readonly disks: Readonly<Record<string, { readonly volume: string | null; readonly bytes: number | null }>>;
  readonly networks: Readonly<Record<string, string>>;
  readonly warnings: readonly { readonly type: string; readonly key?: string | undefined }[];
}

type Optional<T> = T | null | undefined;
interface Wish {
  readonly ova?: Optional<string>;
  readonly esxi?: Optional<string>;
  readonly storage?: Optional<string>;
  readonly bridge?: Optional<string>;
}
interface Wanted {
  readonly import?: Optional<Wish>;
  readonly disks?: Optional<Readonly<Record<string, Optional<{ readonly storage?: Optional<string> }>>>>;
}

/** The member that is given, and the volume in it; undefined: not known yet. */
export function importedVolume({
  ova,
  esxi,
}: Wish): { readonly member: "ova" | "esxi"; readonly volume: string } | undefined {
  if (ova) return { member: "ova", volume: ova };
  return esxi ? { member: "esxi", volume: esxi } : undefined;
}

/** What PVE finds out about it (pve-storage: src/PVE/API2/Storage/Status.pm, `get_import_metadata`). */
export async function readImportable(
  api: Session,
  node: string,
  volume: string,
  signal?: AbortSignal,
): Promise<ImportableVm> {
  const storage = storageOf(volume) ?? "";
  const read = () => api.storage.getImportMetadata(node, storage, volume.slice(storage.length + 1), { signal });
  const found = await api.store.remember(`importable VM ${volume} on ${node}`, read);
  const disks = Object.entries(found.disks ?? {}).map(([slot, disk]) => {
    const source: Partial<{ volid: string | undefined; size: number | undefined }> =
      typeof disk === "object" ? disk : {};
    return [slot, { volume: source.volid ?? null, bytes: source.size ?? null }];
  });
  const networks = Object.entries(found.net ?? {}).map(([slot, { model = "virtio", macaddr }]) => [
    slot,
    macaddr === undefined ? model : `${model}=${macaddr}`,
  ]);
  return {
    options: found["create-args"] ?? {},
    disks: Object.fromEntries(disks),
    networks: Object.fromEntries(networks),
    warnings: found.warnings ?? [],
  };
}

const cardsOf = ({ networks }: ImportableVm, { bridge }: Wish) =>
  Object.fromEntries(
    Object.entries(networks).map(([slot, card]) => [slot, bridge ? `${card},bridge=${bridge}` : card]),
  );

const storageFor = (slot: string, wanted: Wanted): string =>
  wanted.disks?.[slot]?.storage ?? wanted.import?.storage ?? "";

/** The options of the call that creates the VM. */
export function importRequest(vm: ImportableVm, wanted: Wanted): RawConfig {
  const drives = Object.entries(vm.disks).map(([slot, { volume }]) => {
    const storage = storageFor(slot, wanted);
    return [slot, volume === null ? `${storage}:1` : `${storage}:0,import-from=${volume}`];
  });
  return { ...vm.options, ...Object.fromEntries(drives), ...cardsOf(vm, wanted.import ?? {}) };
}

/** The configuration of the VM after that. The names and sizes of its volumes are not known. */
export function importedConfig(vm: ImportableVm, wanted: Wanted): RawConfig {
  const drives = Object.keys(vm.disks).map((slot) => [slot, `${storageFor(slot, wanted)}:imported-${slot}`]);
  return { ...emptyConfig, ...vm.options, ...Object.fromEntries(drives), ...cardsOf(vm, wanted.import ?? {}) };
}

/** The options that the call creates a VM with besides those that are configured. */
export async function newConfig({ api, desired, signal }: GuestCreate, node: string): Promise<RawConfig> {
  const source = importedVolume((desired as VmDesired).import ?? {});
  if (source === undefined) return {};
  return importRequest(await readImportable(api, node, source.volume, signal), desired as VmDesired);
}

/** The configuration of a new VM without what is configured. */
export async function startConfig({ api, desired, signal }: GuestCreate, node: string): Promise<RawConfig> {
  const source = importedVolume((desired as VmDesired).import ?? {});
  if (source === undefined) return emptyConfig;
  return importedConfig(await readImportable(api, node, source.volume, signal), desired as VmDesired);
}
