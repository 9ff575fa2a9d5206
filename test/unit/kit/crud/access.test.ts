import { expect, test } from "vitest";
import { type Session, string } from "#kit";
import { ObjectAccess } from "../../../../src/kit/crud/access.ts";
import type { CrudDefinition, Wired } from "../../../../src/kit/crud/definition.ts";
import { ObjectModel } from "../../../../src/kit/crud/object-model.ts";

const definition: CrudDefinition<Wired, string, object> = {
  type: "proxmox_thing",
  subcategory: "Cluster",
  doc: "A thing.",
  noun: "thing",
  path: "/things/{name}",
  file: "things.cfg",
  identity: ["name"],
  attributes: { name: { type: string(), mode: "required", wire: "name", doc: "Name." } },
};

/** The parameters of a `PUT` that unsets two options. */
async function sentBy(more: Partial<typeof definition>): Promise<unknown> {
  const all = { ...definition, ...more };
  const sent: unknown[] = [];
  const calls = { update: async (parameters: unknown) => sent.push(parameters) };
  const api = { objects: () => calls, store: { forget: () => {} } } as unknown as Session;
  const change = { patch: { set: {}, delete: ["one", "two"] }, desired: {} };
  const { signal } = new AbortController();
  await new ObjectAccess(all, new ObjectModel(all)).update(api, { name: "a" }, { digest: "d" }, change, signal);
  return sent[0];
}

test("options are unset in one list, or in one parameter each where PVE's `delete` is an array", async () => {
  expect(await sentBy({})).toEqual({ name: "a", delete: ["one", "two"], digest: "d" });
  expect(await sentBy({ isDeleteRepeated: true })).toEqual({
    name: "a",
    delete: { each: ["one", "two"] },
    digest: "d",
  });
});
