import { oneOf } from "#kit";

/** Kinds of content a storage may hold (pve-storage: src/PVE/Storage/Plugin.pm, `$vtypes`). */
export const contentNames = ["backup", "images", "import", "iso", "rootdir", "snippets", "vztmpl"] as const;

export const storageContent = oneOf(contentNames);
