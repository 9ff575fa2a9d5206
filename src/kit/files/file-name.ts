/** Content that comes from outside, by upload or download. Snippets do not: PVE has no way in for them. */
export const fileContents = ["import", "iso", "vztmpl"] as const;

export type FileContent = (typeof fileContents)[number];

/** Extensions PVE takes for each (pve-storage: src/PVE/Storage.pm, `*_EXT_RE_*`). */
const extensions: Record<FileContent, { readonly pattern: RegExp; readonly ending: string }> = {
  import: { pattern: /.\.(ova|qcow2|raw|vmdk)$/, ending: "`.qcow2`, `.raw`, `.vmdk` or `.ova`" },
  iso: { pattern: /.\.(iso|img)$/i, ending: "`.iso` or `.img`" },
  vztmpl: { pattern: /.\.tar(\.(gz|xz|zst|bz2))?$/i, ending: "`.tar`, `.tar.gz`, `.tar.xz`, `.tar.zst` or `.tar.bz2`" },
};

/** What PVE makes of a name (pve-storage: src/PVE/Storage.pm, `normalize_content_filename`). */
export const normalName = (name: string): string => name.replace(/[^a-zA-Z0-9_.-]/g, "_");

/** Says why a file of that content cannot have that name, or nothing. */
export function whyUnfit(content: FileContent, name: string): string | undefined {
  const { pattern, ending } = extensions[content];
  if (name !== normalName(name)) {
    return `Proxmox VE would call \`${name}\` something else: only letters without accents, digits, \`.\`, \`_\` and \`-\` stay as they are. Write \`${normalName(name)}\`.`;
  }
  if (name.length > 255) return `\`${name.slice(0, 32)}…\` has ${name.length} letters, and 255 are allowed.`;
  return pattern.test(name)
    ? undefined
    : `A file with \`content = "${content}"\` is named with ${ending} at the end, and \`${name}\` is not.`;
}

export interface FilePlace {
  readonly storage: string;
  readonly content: FileContent;
  readonly name: string;
}

export const volumeIdOf = ({ storage, content, name }: FilePlace): string => `${storage}:${content}/${name}`;

/** Null for what is not a file that comes from outside. */
export function parseFileVolume(volumeId: string): FilePlace | null {
  const [, storage, content, name] = /^([^:/]+):(import|iso|vztmpl)\/([^/]+)$/.exec(volumeId) ?? [];
  if (storage === undefined || content === undefined || name === undefined) return null;
  return { storage, content: content as FileContent, name };
}
