import { int, nested, string } from "#framework";
import { defineResource } from "../define.ts";

interface Stored {
  id: string;
  cores: number;
  memory: string;
  display: { kind: string; depth: number };
}

const inherited = { cores: 2, memory: "2G", display: { kind: "serial", depth: 8 } };

const megabytes = (size: string) => Number.parseInt(size, 10) * (size.endsWith("G") ? 1024 : 1);

/** What is not configured is inherited and never drifts, and two spellings of a size mean the same. */
export const inheriting = defineResource({
  type: "corner_inheriting",
  doc: "Something made from a template.",
  identity: ["id"],
  attributes: {
    id: { type: string(), mode: "computed", keep: true, doc: "Chosen by the store." },
    cores: { type: int({ min: 1 }), mode: "optional_computed", keep: true, doc: "As the template when not given." },
    memory: {
      type: string({
        check: (text) => (/^\d+[GM]$/.test(text) ? undefined : "Must be a size such as `512M` or `8G`."),
        same: (a, b) => megabytes(a) === megabytes(b),
      }),
      mode: "optional_computed",
      keep: true,
      doc: "As the template when not given.",
    },
    display: {
      type: nested({
        kind: { type: string(), mode: "optional_computed", keep: true, doc: "Kind of display." },
        depth: { type: int(), mode: "optional_computed", keep: true, doc: "Colour depth." },
      }),
      mode: "optional_computed",
      keep: true,
      doc: "As the template where not given.",
    },
  },
  create({ api, desired }) {
    return {
      id: api.add("inheriting", {
        cores: desired.cores ?? inherited.cores,
        memory: desired.memory ?? inherited.memory,
        display: { ...inherited.display, ...withoutUndefined(desired.display ?? {}) },
      }),
    };
  },
  before: ({ prior }) => (prior === null ? inherited : (prior as unknown as typeof inherited)),
  read: ({ api, id }) => api.find<Stored>("inheriting", id.id),
  update({ api, id, desired }) {
    const was = api.find<Stored>("inheriting", id.id);
    const display = { ...was?.display, ...withoutUndefined(desired.display ?? {}) };
    api.change("inheriting", id.id, { ...withoutUndefined({ cores: desired.cores, memory: desired.memory }), display });
  },
  delete: ({ api, id }) => api.remove("inheriting", id.id),
});

function withoutUndefined(object: object): object {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}
