import { map, nested, string } from "#framework";
import { defineResource } from "../define.ts";

interface Stored {
  id: string;
  input: string;
  output: string;
  ports: Record<string, { name: string | null; address: string }> | null;
}

const outcome = ({
  input,
  ports,
}: {
  input: string;
  ports: Readonly<Record<string, { name: string | null }>> | null;
}) => ({
  input,
  output: `made from ${input}`,
  ports:
    ports &&
    Object.fromEntries(
      Object.entries(ports).map(([slot, { name }]) => [slot, { name, address: `${slot} of ${input}` }]),
    ),
});

/** Computed values that other resources depend on: at the top level, and inside a map of nested attributes. */
export const chained = defineResource({
  type: "corner_chained",
  doc: "Something others depend on.",
  identity: ["id"],
  attributes: {
    id: { type: string(), mode: "computed", keep: true, doc: "Chosen by the store." },
    input: { type: string(), mode: "required", doc: "Where it comes from." },
    output: { type: string(), mode: "computed", keep: { unless: ["input"] }, doc: "What comes of it." },
    ports: {
      type: map(
        nested(
          {
            name: { type: string(), mode: "optional", doc: "Name of the port." },
            address: { type: string(), mode: "computed", doc: "Where it can be reached." },
          },
          { mayBeEmpty: true },
        ),
      ),
      mode: "optional",
      doc: "Ports by slot.",
    },
  },
  create: ({ api, desired }) => ({ id: api.add("chained", outcome(desired)) }),
  read: ({ api, id }) => api.find<Stored>("chained", id.id),
  update: ({ api, id, desired }) => api.change("chained", id.id, outcome(desired)),
  delete: ({ api, id }) => api.remove("chained", id.id),
});
