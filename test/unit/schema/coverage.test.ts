import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ourNames, placeOf, readCoverage, readPeerNames } from "../../../schema/peers/coverage.ts";
import { objects, registry } from "../../../src/registry.ts";

const schema = readFileSync(join(import.meta.dirname, "../../../schema/provider.json"), "utf8");
const [ours, peers, coverage] = [ourNames(JSON.parse(schema)), readPeerNames(), readCoverage()];
const { entries, here } = coverage;
const compared = entries.filter(({ verdict }) => verdict === "here");

test("every resource and data source of the other provider has one row", () => {
  expect(entries.map(({ kind, name }) => `${kind} ${name}`).sort()).toEqual([...peers.keys()].sort());
});

test("every resource and data source of this provider is a counterpart, or is named as one that only this provider has", () => {
  const known = new Set([...entries.map(({ kind, target }) => `${kind} ${target}`), ...here]);
  expect([...ours.keys()].filter((type) => !known.has(type))).toEqual([]);
});

test.each(compared)("$kind $name: every attribute has its counterpart or a reason", (entry) => {
  expect(ours.has(`${entry.kind} ${entry.target}`), entry.target).toBe(true);
  const attributes = peers.get(`${entry.kind} ${entry.name}`) ?? [];
  expect(attributes.filter((name) => placeOf(name, entry, coverage, ours) === null)).toEqual([]);
});

test.each(compared)("$kind $name: every counterpart exists, and every row is about an attribute", (entry) => {
  const paths = ours.get(`${entry.kind} ${entry.target}`) ?? new Set();
  const isKnown = (target: string) =>
    target.startsWith("proxmox_") ? ours.has(`${entry.kind} ${target}`) : paths.has(target);
  const targets = [...entry.rows.values()].flatMap(({ verdict, target }) => (verdict === "here" ? [target] : []));
  expect(targets.filter((target) => !isKnown(target))).toEqual([]);
  const attributes = peers.get(`${entry.kind} ${entry.name}`) ?? [];
  const isUsed = (name: string) => attributes.some((one) => one === name || one.startsWith(`${name}.`));
  expect([...entry.rows.keys()].filter((name) => !isUsed(name))).toEqual([]);
});

test("an attribute without a row and without a counterpart is found", () => {
  const entry = { ...(compared[0] as (typeof compared)[number]), rows: new Map() };
  expect(placeOf("surely_not_here", entry, coverage, ours)).toBeNull();
});

const definitions = await Promise.all(Object.values(objects).map((load) => load()));
const moves = definitions.flatMap(({ type, crud }) =>
  (crud.definition.movedFrom ?? [])
    .filter(({ provider }) => provider === "bpg/proxmox")
    .map(({ types, members }) => ({ type, types, members })),
);

test.each(moves)("$types, whose states become $type, have the attributes that are read", ({ types, members }) => {
  const [name = ""] = types.map((type) => type.replace("proxmox_virtual_environment_", ""));
  const attributes = peers.get(`resource ${name}`) ?? [];
  const read = Object.values(members).filter((member) => typeof member === "string");
  expect(read.filter((one) => !attributes.includes(one))).toEqual([]);
});

/** Resources of the other provider whose states become no resource here, and why. */
const unmoved: Readonly<Record<string, string>> = {
  realm_sync: "it runs once, when it is created: the action `proxmox_realm_sync` does that, and a job has a schedule",
};

const moved = await Promise.all(
  Object.values(registry.resources).map(
    async (load) => ((await load()) as { readonly moves?: readonly { readonly type: string }[] }).moves ?? [],
  ),
);

test("every resource of the other provider that has a counterpart can be moved, or has a reason why not", () => {
  const types = new Set(moved.flat().map(({ type }) => type.replace(/^proxmox_(virtual_environment_)?/, "")));
  const here = compared.filter(({ kind }) => kind === "resource").map(({ name }) => name);
  const known = new Set([...types, ...Object.keys(unmoved)]);
  expect(here.filter((name) => !known.has(name))).toEqual([]);
});
