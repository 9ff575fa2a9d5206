import { expect, test } from "vitest";
import type { CollectionSource } from "#kit";
import { readFacts } from "../../../schema/pve/facts.ts";
import { registry } from "../../../src/registry.ts";

const facts = readFacts();
const sources: readonly object[] = await Promise.all(Object.values(registry.dataSources).map((load) => load()));
const collections = sources.flatMap((source) => ("collection" in source ? [source as CollectionSource] : []));

const cases = collections.map(({ type, collection }) => ({ type, collection }));

test.each(cases)("$type calls an endpoint that Proxmox VE has, with parameters it takes", ({ collection }) => {
  const { path, fixed = {}, arguments: given = {} } = collection;
  const method = facts.get(`GET ${path}`);
  expect(method, path).toBeDefined();
  const known = [...Object.keys(method?.parameters?.properties ?? {}), ...path.matchAll(/(?<=\{)[^}]+/g)].map(String);
  const sent = [...Object.keys(fixed), ...Object.values(given).map(({ wire }) => wire)];
  expect(sent.filter((name) => name === undefined || !known.includes(name))).toEqual([]);
});

test.each(cases)("$type filters and orders by attributes that its objects have", ({ collection }) => {
  const { attributes, key, filters = {}, arguments: given = {} } = collection;
  const names = Object.keys(attributes);
  const by = Object.entries(filters).map(([name, filter]) => (typeof filter === "string" ? name : filter.by));
  expect([key, ...by].filter((name) => !names.includes(name))).toEqual([]);
  expect(Object.keys(filters).filter((name) => Object.hasOwn(given, name))).toEqual([]);
});
