import { existsSync } from "node:fs";
import { join } from "node:path";
import { Failure, oneOf, string } from "#framework";
import { defineResource } from "../define.ts";

const stages = ["validate", "plan", "create", "settle", "read", "update", "delete"] as const;
type Stage = (typeof stages)[number];

/** Fails at one stage, by a reported failure or by a programming mistake, as long as the file `cured` does not exist. */
export const fragile = defineResource({
  type: "corner_fragile",
  doc: "Something that breaks.",
  identity: ["id"],
  attributes: {
    id: { type: string(), mode: "computed", keep: true, doc: "Chosen by the store." },
    fails_at: { type: oneOf(stages), mode: "optional", local: true, doc: "Which hook fails." },
    manner: { type: oneOf(["failure", "bug"]), mode: "optional", local: true, doc: "How it fails." },
    note: { type: string(), mode: "optional", doc: "Something to change." },
  },
  validate({ config }) {
    breakAt("validate", config);
  },
  plan({ api, config }) {
    if (!isCured(api)) breakAt("plan", config);
  },
  create({ api, desired }) {
    if (!isCured(api)) breakAt("create", desired);
    return { id: api.add("fragile", { note: desired.note }) };
  },
  settle({ api, desired }) {
    if (!isCured(api)) breakAt("settle", desired);
  },
  read({ api, id, state }) {
    if (state && !isCured(api)) breakAt("read", state);
    return api.find<{ id: string; note: string | null }>("fragile", id.id);
  },
  update({ api, id, desired }) {
    if (!isCured(api)) breakAt("update", desired);
    api.change("fragile", id.id, { note: desired.note });
  },
  delete({ api, id, state }) {
    if (!isCured(api)) breakAt("delete", state);
    api.remove("fragile", id.id);
  },
});

function isCured(api: { folder: string } | undefined): boolean {
  return api !== undefined && existsSync(join(api.folder, "cured"));
}

function breakAt(
  stage: Stage,
  { fails_at, manner }: { fails_at?: Stage | null | undefined; manner?: string | null | undefined },
): void {
  if (fails_at !== stage) return;
  if (manner === "bug") throw new TypeError(`${stage} went wrong unexpectedly`);
  throw new Failure(`Unable to ${stage}`, `The ${stage} hook is configured to fail.`, { path: "fails_at" });
}
