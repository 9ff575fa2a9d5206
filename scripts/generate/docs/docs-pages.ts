import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { ProviderServer, Schema } from "#framework";
import type { Grants } from "#kit";
import type { Generated } from "../generated.ts";
import { areaPages, isAreaPage } from "./area-pages.ts";
import { type Changeable, changesSection } from "./changes-section.ts";
import { errorsSection, type Fallible, type Origination } from "./errors-section.ts";
import { type Example, readExamples, readImport } from "./examples.ts";
import { functionPage } from "./function-page.ts";
import { indexPage } from "./index-page.ts";
import {
  exampleSection,
  guestPrivileges,
  importSection,
  movedSection,
  type Origin,
  page,
  privilegesSection,
} from "./page.ts";
import { requirementNote } from "./requirements.ts";
import { schemaSection } from "./schema-section.ts";

/** The kinds of objects in a provider: their folder in `docs` and `examples`, and their name on a page. */
const kinds = [
  ["resources", "Resource"],
  ["data-sources", "Data Source"],
  ["ephemeral-resources", "Ephemeral Resource"],
  ["list-resources", "List Resource"],
  ["actions", "Action"],
] as const;

type Folder = (typeof kinds)[number][0];

/** What a page of a resource shows that the schema does not have. */
export interface Facts {
  readonly grants?: Grants | undefined;
  readonly origins: readonly Origin[];
  readonly definition: Changeable & Fallible;
  readonly origination: Origination;
}

/** Everything in `docs` except other guides, pictures and decisions, in the layout of the Terraform Registry. */
export function docsPages(root: string, server: ProviderServer, facts: ReadonlyMap<string, Facts>): Generated {
  return {
    owns: [
      "docs/index.md",
      "docs/functions",
      ...kinds.map(([folder]) => `docs/${folder}`),
      ...readdirSync(join(root, "docs/guides"))
        .filter(isAreaPage)
        .map((name) => `docs/guides/${name}`),
    ],
    async files() {
      const schema = await server.getProviderSchema();
      const schemas: Record<Folder, Record<string, Schema>> = {
        resources: schema.resources,
        "data-sources": schema.dataSources,
        "ephemeral-resources": schema.ephemeralResources,
        "list-resources": schema.listResources,
        actions: schema.actions,
      };
      const named = kinds.flatMap(([folder, kind]) =>
        Object.entries(schemas[folder]).map(([type, described]) => ({
          ...{ folder, kind, type, described },
          path: `${folder}/${withoutPrefix(type)}.md`,
          subcategory: described.subcategory ?? "",
          doc: described.description,
        })),
      );
      const pages = named.map(
        ({ path, described, ...about }) =>
          [`docs/${path}`, typePage(root, about, described, facts.get(about.type))] as const,
      );
      const functions = Object.entries(schema.functions).map(
        ([name, declared]) =>
          [`docs/functions/${name}.md`, functionPage(name, declared, readExamples(root, `functions/${name}`))] as const,
      );
      return new Map([
        ["docs/index.md", indexPage(root, schema.provider, named)],
        ...areaPages(named),
        ...pages,
        ...functions,
      ]);
    },
  };
}

function typePage(
  root: string,
  named: { folder: Folder; kind: string; type: string },
  schema: Schema,
  facts: Facts | undefined,
): string {
  const { folder, kind, type } = named;
  const { subcategory = "", description: doc } = schema;
  const heading = { title: `${type} (${kind})`, subcategory, doc };
  return page(heading, [
    ...requirementNote(folder),
    ...exampleSection(examplesOf(root, folder, type)),
    ...(folder === "resources" && facts ? changesSection(facts.definition) : []),
    ...schemaSection(schema),
    ...(folder === "resources" && facts ? resourceSections(root, type, facts) : []),
  ]);
}

const resourceSections = (
  root: string,
  type: string,
  { grants, origins, definition, origination }: Facts,
): string[] => [
  ...(grants ? privilegesSection(type, grants) : guestPrivileges(type)),
  ...importSection(readImport(root, type)),
  ...errorsSection(definition, origination, grants !== undefined),
  ...movedSection(type, origins),
];

/** A list that takes no filters needs no example of its own. */
function examplesOf(root: string, folder: Folder, type: string): Example[] {
  const written = readExamples(root, `${folder}/${type}`);
  if (folder !== "list-resources" || written.length > 0) return written;
  return [{ title: null, code: `list "${type}" "all" {\n  provider = proxmox\n}` }];
}

/** The Registry names pages without the provider's prefix. */
const withoutPrefix = (type: string): string => type.slice(type.indexOf("_") + 1);
