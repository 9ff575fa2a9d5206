/**
 * `npm run generate` writes every generated file; with `--check` it writes nothing and fails when one of them is stale.
 */
import { join } from "node:path";
import { createServer } from "#framework";
import { grantsFor } from "#kit";
import { protoCode } from "../../schema/proto/proto-code.ts";
import { provider } from "../../src/provider.ts";
import { objects, registry, settings } from "../../src/registry.ts";
import { coveragePage } from "./docs/coverage-page.ts";
import { docsPages } from "./docs/docs-pages.ts";
import type { Origin } from "./docs/page.ts";
import { endpointPermissions } from "./endpoint-permissions.ts";
import { findStale, refresh } from "./generated.ts";
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
const resources: readonly { readonly type: string; readonly moves?: readonly Origin[] }[] = await Promise.all(
  Object.values(registry.resources).map((load) => load()),
);
const facts = new Map(
  resources.map(({ type, moves: origins = [] }) => [type, { grants: grants.get(type), origins }] as const),
);

for (const generated of [
  protoCode,
  endpointPermissions(endpoints),
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
