import { expect, test } from "vitest";
import { bool, type CollectionDefinition, defineCollection, int, list, type Session, set, shown, string } from "#kit";
import type { ConfigObject, Parameters } from "#pve";

const base: CollectionDefinition = {
  type: "proxmox_things",
  subcategory: "Cluster",
  doc: "Things.",
  path: "/nodes/{node}/things",
  arguments: {
    node: { type: string(), mode: "required", wire: "node", refers: "node", doc: "Node." },
    tags: { type: set(string()), mode: "optional", wire: "tag-list", doc: "Tags." },
  },
  items: "things",
  key: "number",
  filters: { active: "Only active ones", tag: { by: "tags_seen", doc: "Only with this tag" } },
  attributes: {
    number: shown(int(), "num", "Number."),
    active: { ...shown(bool(), "on", "Active."), absent: false },
    tags_seen: { ...shown(list(string()), "tags", "Tags."), absent: [] },
    size: shown(int(), "extra/size", "Size."),
  },
};

interface Asked {
  readonly path: string;
  readonly given: Parameters;
}

async function read(definition: CollectionDefinition, config: object, answer: readonly object[]) {
  const asked: Asked[] = [];
  const api = {
    inventory: { snapshot: async () => ({ nodes: new Map([["pve1", {}]]) }) },
    planned: { has: () => false },
    collect: async (path: string, given: Parameters) => {
      asked.push({ path, given });
      return answer as ConfigObject[];
    },
  } as unknown as Session;
  const context = { api, config, signal: new AbortController().signal } as never;
  return { found: await defineCollection(definition).read(context), asked };
}

const nothing = { node: "pve1", tags: null, active: null, tag: null };
const answer = [
  { num: "10", on: 1, extra: { size: 5, unit: "G" } },
  { num: 9, tags: ["a", "b"] },
];

test("places and parameters are sent by their `wire`, and lists in one text", async () => {
  const { asked } = await read({ ...base, fixed: { full: true } }, { ...nothing, tags: ["x", "y"] }, []);
  expect(asked).toEqual([{ path: base.path, given: { full: true, node: "pve1", "tag-list": "x,y" } }]);
});

test("numbers are ordered as numbers, and what PVE leaves out is null or what it means", async () => {
  const { found } = await read(base, nothing, answer);
  expect(found).toEqual({
    numbers: [9, 10],
    things: [
      { number: 9, active: false, tags_seen: ["a", "b"], size: null },
      { number: 10, active: true, tags_seen: [], size: 5 },
    ],
  });
});

test.each([
  [{ active: true }, [10]],
  [{ active: false }, [9]],
  [{ tag: "b" }, [9]],
  [{ tag: "c" }, []],
  [{ tag: "*", active: true }, []],
])("%o finds %o", async (filter, numbers) => {
  expect((await read(base, { ...nothing, ...filter }, answer)).found).toMatchObject({ numbers });
});

test("an answer in another form is turned into objects", async () => {
  const rows: CollectionDefinition["rows"] = ({ answer: all, given }) =>
    all.flatMap(({ inner }) => inner as object[]).map((one) => ({ ...one, on: given["node"] === "pve1" ? 1 : 0 }));
  const { found } = await read({ ...base, rows }, nothing, [{ inner: [{ num: 3 }, { num: 1 }] }]);
  expect(found).toMatchObject({ numbers: [1, 3], things: [{ active: true }, { active: true }] });
});
