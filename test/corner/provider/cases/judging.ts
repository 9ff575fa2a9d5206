import { createHash } from "node:crypto";
import { string } from "#framework";
import { defineResource } from "../define.ts";

interface Stored {
  id: string;
  name: string;
  digest: string;
  old_name: string | null;
}

/** Examines the plan before it is shown: refuses, warns, fills in what is known, and uses the private state. */
export const judging = defineResource({
  type: "corner_judging",
  doc: "Something with opinions.",
  identity: ["id"],
  privateState: { renames: 0 },
  attributes: {
    id: { type: string(), mode: "computed", keep: true, doc: "Chosen by the store." },
    name: { type: string(), mode: "required", doc: "Must not be `forbidden`." },
    old_name: { type: string(), mode: "optional", deprecated: "Use `name` instead.", doc: "Where it came from." },
    digest: { type: string(), mode: "computed", doc: "Known as soon as the name is." },
    renames: { type: string(), mode: "computed", doc: "How often it was renamed, out of private state." },
  },
  validate({ config, report }) {
    if (config.name === "forbidden") report.error("name", "Forbidden name", "Choose another name.");
  },
  plan({ planned, changes, prior, report, set }) {
    if (planned.name !== undefined) set("digest", digest(planned.name));
    if (prior && changes.has("name")) report.warning("name", "Renamed", `It was called ${prior.name}.`);
  },
  create: ({ api, desired }) => ({ id: api.add("judging", { ...desired, digest: digest(desired.name) }) }),
  read({ api, id, privateState }) {
    const found = api.find<Stored>("judging", id.id);
    return found && { ...found, renames: String(privateState.renames) };
  },
  update({ api, id, desired, changes, privateState }) {
    if (changes.has("name")) privateState.renames += 1;
    api.change("judging", id.id, { ...desired, digest: digest(desired.name) });
  },
  delete: ({ api, id }) => api.remove("judging", id.id),
});

function digest(name: string): string {
  return createHash("sha256").update(name).digest("hex").slice(0, 12);
}
