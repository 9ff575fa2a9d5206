/** The content type of a volume, by its name. */
export type VolumeContent = "images" | "iso" | "import" | "snippets";

const usable: readonly string[] = ["iso", "import", "snippets"] satisfies VolumeContent[];

/**
 * What `local:iso/debian.iso` or `local-lvm:vm-100-disk-0` holds; null for what no VM can use, such as a backup or a
 * container template (pve-storage: src/PVE/Storage/Plugin.pm, `parse_volname`).
 */
export function contentOf(volume: string): VolumeContent | null {
  const [, folder] = /^[^:]+:(iso|import|snippets|vztmpl|backup)\//.exec(volume) ?? [];
  if (folder === undefined) return "images";
  return usable.includes(folder) ? (folder as VolumeContent) : null;
}

/** `storage:name`, as PVE names everything that is on a storage. */
export const isVolumeId = (text: string): boolean => /^[A-Za-z][\w.-]*:[^\s:][^\s]*$/.test(text);
