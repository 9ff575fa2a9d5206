/**
 * `npm run generate` writes every generated file; with `--check` it writes nothing and fails when one of them is stale.
 */
import { join } from "node:path";
import { createServer } from "#framework";
import { grantsFor } from "#kit";
import { protoCode } from "../../schema/proto/proto-code.ts";
import { provider } from "../../src/provider.ts";
import { objects, registry, settings } from "../../src/registry.ts";
import type { Changeable } from "./docs/changes-section.ts";
import { coveragePage } from "./docs/coverage-page.ts";
import { docsPages } from "./docs/docs-pages.ts";
import type { Fallible, Origination } from "./docs/errors-section.ts";
import type { Origin } from "./docs/page.ts";
import { releaseTable } from "./docs/release-table.ts";
import { endpointPermissions } from "./endpoint-permissions.ts";
import { findStale, refresh } from "./generated.ts";
import { knownApi } from "./known-api.ts";
import { providerJson } from "./provider-json.ts";
import { translateTables } from "./translate-tables.ts";

const root = join(import.meta.dirname, "../..");
const server = createServer(provider);
const check = process.argv.includes("--check");

const definitions = await Promise.all(Object.values({ ...objects, ...settings }).map((load) => load()));
const endpoints = definitions.flatMap(({ crud }) => crud.endpoints);
const grants = new Map(
  await Promise.all(definitions.map(async ({ type, crud }) => [type, await grantsFor(crud)] as const)),
);
type Documented = Changeable & Fallible & { readonly moves?: readonly Origin[] };
const resources: readonly Documented[] = await Promise.all(Object.values(registry.resources).map((load) => load()));
const originationOf = (type: string): Origination => {
  if (Object.hasOwn(objects, type)) return "created";
  return Object.hasOwn(settings, type) ? "taken_over" : "own";
};
const facts = new Map(
  resources.map((definition) => {
    const { type, moves: origins = [] } = definition;
    return [type, { grants: grants.get(type), origins, definition, origination: originationOf(type) }] as const;
  }),
);

for (const generated of [
  protoCode,
  endpointPermissions(endpoints),
  knownApi,
  releaseTable(root),
  providerJson(server),
  docsPages(root, server, facts),
  coveragePage(providerJson(server)),
  translateTables(providerJson(server), new Map(resources.map(({ type, moves = [] }) => [type, moves]))),
]) {
  for (const stale of await findStale(root, generated)) {
    if (check) {
      process.stderr.write(`${stale.path} is out of date: run "npm run generate"\n`);
      process.exitCode = 1;
    } else refresh(root, stale);
  }
}
