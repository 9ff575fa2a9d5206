import type { Listed } from "./index-page.ts";
import { page } from "./page.ts";

/** Guides about an area, by their files and titles. */
const guides: Readonly<Record<string, readonly (readonly [file: string, title: string])[]>> = {
  Access: [
    ["access.md", "Access: users, roles and tokens"],
    ["permissions.md", "Permissions"],
  ],
  Backup: [["backup-and-restore.md", "Backup and restore"]],
  Cluster: [["high-availability.md", "High availability"]],
  Containers: [["containers.md", "Containers"]],
  Firewall: [["networks.md", "Networks and firewalls"]],
  Nodes: [["upgrading-pve.md", "Upgrading Proxmox VE"]],
  SDN: [["networks.md", "Networks and firewalls"]],
  Storage: [
    ["storage.md", "Storages, images and disks"],
    ["disks.md", "Disks that outlive VMs"],
  ],
  "Virtual machines": [
    ["first-vm.md", "From an empty host to the first VM"],
    ["restarts.md", "Restarts and pending changes"],
  ],
};

/** Overviews are guides: the Registry shows pages in folders that it knows only. */
export const isAreaPage = (name: string): boolean => name.startsWith("area-");

/** `docs/guides/area-access.md` for the area "Access". */
export const areaPath = (area: string): string => `guides/area-${area.toLowerCase().replaceAll(" ", "-")}.md`;

/** An overview of each area: what there is, and what for. */
export function areaPages(listed: readonly Listed[]): [path: string, text: string][] {
  return [...Map.groupBy(listed, ({ subcategory }) => subcategory)].map(([area, members]) => [
    `docs/${areaPath(area)}`,
    areaPage(area, members),
  ]);
}

function areaPage(area: string, members: readonly Listed[]): string {
  const tables = [...Map.groupBy(members, ({ kind }) => kind)].map(([kind, types]) => {
    const rows = types
      .toSorted((a, b) => (a.type < b.type ? -1 : 1))
      .map(({ type, path, doc }) => `| [${type}](../${path}) | ${firstSentence(doc)} |`);
    return [`## ${kind}s`, ["| type | what it is |", "|---|---|", ...rows].join("\n")].join("\n\n");
  });
  const links = (guides[area] ?? []).map(([file, title]) => `- [${title}](${file})`);
  const doc = `What the provider manages in the area ${area}, with the guides about it.`;
  return page({ title: `Overview: ${area}`, subcategory: area, doc }, [
    ...(links.length === 0 ? [] : [`Guides:\n\n${links.join("\n")}`]),
    ...tables,
  ]);
}

/** A sentence ends with a point before a capital or the end, not within `1.14` or `e.g.`. */
function firstSentence(doc: string): string {
  const [line = ""] = doc.split("\n\n");
  const text = line.replaceAll("\n", " ");
  return (/^.*?[.!?](?=\s+[A-Z`]|$)/.exec(text)?.[0] ?? text).replaceAll("|", "\\|");
}
