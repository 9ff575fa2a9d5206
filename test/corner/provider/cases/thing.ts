import { int, string } from "#framework";
import { defineResource } from "../define.ts";

interface Stored {
  id: string;
  name: string;
  size: number | null;
  note: string | null;
  revision: number;
}

/** The plain case: created, updated in place, imported by its id, and moved here from another type. */
export const thing = defineResource({
  type: "corner_thing",
  doc: "Something with a name.",
  identity: ["id"],
  attributes: {
    id: { type: string(), mode: "computed", keep: true, doc: "Chosen by the store." },
    name: { type: string(), mode: "required", doc: "What it is called." },
    size: { type: int({ min: 0 }), mode: "optional", doc: "How large it is." },
    note: { type: string(), mode: "optional", doc: "Anything else." },
    revision: { type: int(), mode: "computed", doc: "How often it was written." },
    label: { type: string(), mode: "computed", keep: true, doc: "Label of the provider that made it." },
  },
  moves: [
    {
      provider: "terraform.io/builtin/terraform",
      type: "terraform_data",
      move: ({ state }) => ({ id: String(state["id"]), name: String(state["input"]) }),
    },
  ],
  create({ api, desired, log }) {
    log.info("creating a thing", { name: desired.name });
    return { id: api.add("thing", { ...desired, revision: 1, label: api.label }) };
  },
  read: ({ api, id }) => api.find<Stored & { label: string }>("thing", id.id),
  update({ api, id, desired }) {
    const revision = (api.find<Stored>("thing", id.id)?.revision ?? 0) + 1;
    api.change("thing", id.id, { ...desired, revision });
  },
  delete: ({ api, id }) => api.remove("thing", id.id),
});
