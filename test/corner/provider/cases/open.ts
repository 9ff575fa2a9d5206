import { dynamic, type Json, string } from "#framework";
import { defineResource } from "../define.ts";

/** A value of any type. */
export const open = defineResource({
  type: "corner_open",
  doc: "Something without a type.",
  identity: ["id"],
  attributes: {
    id: { type: string(), mode: "computed", keep: true, doc: "Chosen by the store." },
    value: { type: dynamic(), mode: "optional", doc: "Anything." },
  },
  create: ({ api, desired }) => ({ id: api.add("open", desired) }),
  read: ({ api, id }) => api.find<{ id: string; value: Json }>("open", id.id),
  update: ({ api, id, desired }) => api.change("open", id.id, desired),
  delete: ({ api, id }) => api.remove("open", id.id),
});
