import type { VmState } from "./contexts.ts";

/**
 * Values that PVE generated and that do not belong in a configuration: a volume named there could never move to another
 * storage, and a generation ID is for `root@pam` alone to set.
 */
export function madeUp({ state }: { readonly state: VmState }): string[][] {
  return [
    ["vm_generation_id"],
    ...Object.keys(state.disks ?? {}).map((slot) => ["disks", slot, "volume"]),
    ...(state.efi_disk ? [["efi_disk", "volume"]] : []),
    ...(state.tpm_state ? [["tpm_state", "volume"]] : []),
    // The text cannot be read back, and without it this has no meaning.
    ...(state.cloud_init?.data_volume ? [["cloud_init", "data_storage"]] : []),
  ];
}
