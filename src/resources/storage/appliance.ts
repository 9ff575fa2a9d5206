import { alternatives, enumerate, Failure, type Session } from "#kit";
import type { Appliance } from "#pve";

/** What is known of a template by the name of its file: `debian-13-standard_13.1-2_amd64.tar.zst`. */
export function partsOfTemplate(file: string): { readonly name: string; readonly version: string | null } {
  const [, name = file, version = null] = /^(.+?)_([^_]+)_[^_]+\.tar(?:\.\w+)?$/.exec(file) ?? [];
  return { name, version };
}

/** Numbers in a version count as numbers: 13.10 is newer than 13.9. */
const byVersion = (a: Appliance, b: Appliance): number =>
  (a.version ?? "").localeCompare(b.version ?? "", "en", { numeric: true });

/** One answer for all who ask at the same time. */
export const appliancesOf = (api: Session, node: string): Promise<readonly Appliance[]> =>
  api.store.together(`appliances of ${node}`, () => api.templates.list(node));

/** The newest appliance of that name, or the one of that version. */
export async function chooseAppliance(
  api: Session,
  node: string,
  { name, version }: { readonly name: string; readonly version: string | null | undefined },
): Promise<Appliance> {
  const all = await appliancesOf(api, node);
  const named = all.filter((one) => one.package === name).sort(byVersion);
  const chosen = version ? named.find((one) => one.version === version) : named.at(-1);
  if (chosen !== undefined) return chosen;
  if (named.length === 0) {
    throw new Failure(
      "No such container template",
      `Node ${node} offers no template \`${name}\`. ${alternatives(name, [...new Set(all.map((one) => one.package))])} The list is as old as the last \`pveam update\` on that node.`,
      { path: "name" },
    );
  }
  throw new Failure(
    "No such version",
    `Node ${node} offers \`${name}\` in version ${enumerate(named.map((one) => one.version ?? ""))}, not in \`${version}\`. Proxmox removes a version from the list when a newer one is published: use that one, leave \`version\` out, or bring the old file with \`proxmox_download\`.`,
    { path: "version" },
  );
}
