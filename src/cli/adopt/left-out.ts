import type { Fields, Unseen } from "../export/reader.ts";

interface LeftOut {
  readonly reason: string;
  /** How many there are; undefined where an export does not tell. */
  count?(seed: Fields): number;
}

const lengths = (seed: Fields, ...names: readonly string[]): number =>
  names.reduce((sum, name) => sum + ((seed[name] ?? []) as readonly unknown[]).length, 0);

const files: LeftOut = {
  reason:
    "Files on storages (ISO images, templates, snippets, images to import) are data: `import` blocks can name single ones.",
  count: (seed) => lengths(seed, "iso_files", "container_templates", "snippets", "import_files"),
};

/** Types that are not taken over, and why. */
export const leftOut: Readonly<Record<string, LeftOut>> = {
  proxmox_download: files,
  proxmox_file: files,
  proxmox_container_template: files,
  proxmox_oci_image: files,
  proxmox_snapshot: {
    reason: "Snapshots are moments of a guest: `proxmox_snapshot` creates new ones.",
    count: (seed) =>
      ((seed["guests"] ?? []) as readonly Fields[]).reduce(
        (sum, { snapshots }) => sum + Object.keys((snapshots ?? {}) as Fields).length,
        0,
      ),
  },
  proxmox_pool_member: { reason: "Members of pools are written with the pool or the guest.", count: () => 0 },
  proxmox_firewall_policy: { reason: "Firewalls are written as options and rules.", count: () => 0 },
  proxmox_tfa: { reason: "Second factors: Proxmox VE shows no secret of them, and lets no token manage them." },
};

const mostUnseen = 20;

/** What is not in the configuration, a line each. */
export function linesLeftOut(
  seed: Fields,
  unseen: readonly Unseen[],
  problems: readonly string[],
  secrets: readonly string[],
): string[] {
  const kinds = [...new Set(Object.values(leftOut))].flatMap(({ reason, count }) => {
    const found = count?.(seed);
    return found === 0 ? [] : [found === undefined ? reason : `${reason} (${found} here)`];
  });
  const hidden = unseen.map(({ path, reason }) => `${path}: ${reason.split("\n")[0]}`);
  return [
    ...problems,
    ...hidden.slice(0, mostUnseen),
    ...(hidden.length > mostUnseen
      ? [`${hidden.length - mostUnseen} more could not be read; \`export\` lists them.`]
      : []),
    ...(secrets.length === 0 ? [] : [`Secrets, to be given as variables: ${secrets.join(", ")}.`]),
    ...kinds,
    "Passwords, keys and secrets of tokens: Proxmox VE shows none.",
  ];
}
