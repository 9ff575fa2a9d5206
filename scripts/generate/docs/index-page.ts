import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Schema } from "#framework";
import { areaPath, isAreaPage } from "./area-pages.ts";
import { readExamples } from "./examples.ts";
import { exampleSection, page } from "./page.ts";
import { requirementTable } from "./requirements.ts";
import { schemaSection } from "./schema-section.ts";

/** A page about a type: what the overview of its area needs. */
export interface Listed {
  readonly kind: string;
  readonly type: string;
  readonly path: string;
  readonly subcategory: string;
  readonly doc: string;
}

/** `docs/index.md`: what the provider manages, by area, its settings, and links to the guides. */
export function indexPage(root: string, schema: Schema, listed: readonly Listed[]): string {
  return page({ title: "Proxmox VE Provider", subcategory: null, doc: schema.description }, [
    ...prose,
    ...exampleSection(readExamples(root, "provider")),
    "## What it manages",
    ...areas(listed),
    "## Versions",
    requirementTable(),
    ...guides(root),
    ...schemaSection(schema),
  ]);
}

const prose = [
  [
    "Settings that are not written are inherited: from the template, or from Proxmox VE. Devices are maps keyed by slot, so",
    "a clone keeps the disks and network cards that the configuration does not mention. The plan reads the template and the",
    "cluster, and refuses what cannot work before anything changes: a missing template or storage, a name in use, a missing",
    "privilege. A cluster that cannot be reached, is not trusted or refuses the login is one error in the plan for all",
    'resources; `plan_checks = "off"` plans without reading the cluster.',
  ].join("\n"),
  "Every setting below can come from the environment instead, so a configuration needs neither a host nor a secret.",
];

/** The types of each area by kind, without lists for `terraform query`: they repeat the resources. */
function areas(listed: readonly Listed[]): string[] {
  const shown = listed.filter(({ kind }) => kind !== "List Resource");
  const byArea = Map.groupBy(shown, ({ subcategory }) => subcategory);
  return [...byArea]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([area, members]) => {
      const lines = [...Map.groupBy(members, ({ kind }) => kind)].map(([kind, types]) => {
        const links = types.map(({ type, path }) => `[${type}](${path})`).toSorted();
        return `- ${kind}${types.length === 1 ? "" : "s"}: ${links.join(", ")}`;
      });
      return [`### [${area}](${areaPath(area)})`, lines.join("\n")].join("\n\n");
    });
}

/** The guides by their titles. */
function guides(root: string): string[] {
  const folder = join(root, "docs/guides");
  if (!existsSync(folder)) return [];
  const links = readdirSync(folder)
    .filter((name) => name.endsWith(".md") && !isAreaPage(name))
    .sort()
    .map((name) => `- [${titleOf(readFileSync(join(folder, name), "utf8"), name)}](guides/${name})`);
  return links.length === 0 ? [] : ["## Guides", links.join("\n")];
}

function titleOf(text: string, name: string): string {
  const [, title] = /^---\n(?:.*\n)*?page_title: "?([^"\n]+)"?\n(?:.*\n)*?---\n/.exec(text) ?? [];
  if (title === undefined) throw new Error(`docs/guides/${name} does not begin with a page_title`);
  return title;
}
