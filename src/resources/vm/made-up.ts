import type { VmState } from "./contexts.ts";

/**
 * What PVE made up and nobody should write into a configuration: a volume named there could never move to another
 * storage, and a generation ID is for `root@pam` alone to set.
 */
export function madeUp({ state }: { readonly state: VmState }): string[][] {
  return [
    ["vm_generation_id"],
    ...Object.keys(state.disks ?? {}).map((slot) => ["disks", slot, "volume"]),
    ...(state.efi_disk ? [["efi_disk", "volume"]] : []),
    ...(state.tpm_state ? [["tpm_state", "volume"]] : []),
    // Nobody can read the text back, and without it this says nothing.
    ...(state.cloud_init?.data_volume ? [["cloud_init", "data_storage"]] : []),
  ];
}
