import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Schema } from "#framework";
import { readExamples } from "./examples.ts";
import { exampleSection, page } from "./page.ts";
import { requirementTable } from "./requirements.ts";
import { schemaSection } from "./schema-section.ts";

/** `docs/index.md`: what the provider is asked with, and where to read on. */
export function indexPage(root: string, schema: Schema): string {
  return page({ title: "Proxmox VE Provider", subcategory: null, doc: schema.description }, [
    ...prose,
    ...exampleSection(readExamples(root, "provider")),
    "## Versions",
    requirementTable(),
    ...guides(root),
    ...schemaSection(schema),
  ]);
}

const prose = [
  [
    "What is not written is inherited: from the template, or from Proxmox VE. Devices are maps keyed by slot, so a clone",
    "keeps the disks and network cards nobody mentioned. The plan reads the template and the cluster, and refuses what",
    "cannot work before anything is begun: a template or storage that is not there, a name that is taken, a privilege that",
    "is missing. A cluster that cannot be reached, is not trusted or refuses the login is an error in the plan, one for all",
    'resources; `plan_checks = "off"` plans without looking.',
  ].join("\n"),
  "Every setting below can come from the environment instead, so a configuration need not name a host or hold a secret.",
];

/** The guides by the titles they carry. */
function guides(root: string): string[] {
  const folder = join(root, "docs/guides");
  if (!existsSync(folder)) return [];
  const links = readdirSync(folder)
    .filter((name) => name.endsWith(".md"))
    .sort()
    .map((name) => `- [${titleOf(readFileSync(join(folder, name), "utf8"), name)}](guides/${name})`);
  return links.length === 0 ? [] : ["## Guides", links.join("\n")];
}

function titleOf(text: string, name: string): string {
  const [, title] = /^---\n(?:.*\n)*?page_title: "?([^"\n]+)"?\n(?:.*\n)*?---\n/.exec(text) ?? [];
  if (title === undefined) throw new Error(`docs/guides/${name} does not begin with a page_title`);
  return title;
}
