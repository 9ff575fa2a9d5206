import { int, string } from "#framework";
import { defineListResource, defineResource } from "../define.ts";

interface Stored {
  region: string;
  name: string;
  weight: number | null;
}

const key = ({ region, name }: { region: string; name: string }) => `${region}/${name}`;

/** An identity of two attributes: imported by `region/name` or by the identity itself, and listed by region. */
export const pair = defineResource({
  type: "corner_pair",
  doc: "Something known by two attributes.",
  identity: ["region", "name"],
  attributes: {
    region: { type: string(), mode: "required", replace: true, doc: "Where it is." },
    name: { type: string(), mode: "required", replace: true, doc: "What it is called there." },
    weight: { type: int(), mode: "optional", doc: "How heavy it is." },
  },
  create({ api, desired }) {
    api.put("pair", key(desired), desired);
    return { region: desired.region, name: desired.name };
  },
  read: ({ api, id }) => api.find<Stored>("pair", key(id)),
  update: ({ api, id, desired }) => api.change("pair", key(id), desired),
  delete: ({ api, id }) => api.remove("pair", key(id)),
});

export const pairs = defineListResource({
  resource: pair,
  doc: "Pairs of a region.",
  attributes: {
    region: { type: string(), mode: "required", doc: "Where to look." },
    names: { type: int({ min: 0 }), mode: "optional", doc: "How many there are to find." },
  },
  async *list({ config }) {
    for (let i = 0; i < (config.names ?? 0); i++) {
      const id = { region: config.region, name: `found-${i}` };
      yield { id, displayName: key(id), object: { ...id, weight: i } };
    }
  },
});
