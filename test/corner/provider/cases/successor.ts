import { int, string } from "#framework";
import { defineResource, keptAs } from "../define.ts";

/** A type that replaces another one of the same provider, and whose schema has changed twice. */
export const successor = defineResource({
  type: "corner_successor",
  doc: "Something that used to look different.",
  identity: ["id"],
  version: 2,
  attributes: {
    id: { type: string(), mode: "computed", keep: true, doc: "Chosen by the store." },
    title: { type: string(), mode: "required", doc: "Was called `name` in version 1, `label` in version 0." },
    amount: { type: int(), mode: "optional", doc: "Was text in version 1." },
  },
  upgrades: {
    0: ({ label, ...rest }) => ({ ...rest, name: label }),
    1: ({ name, amount, ...rest }) => ({ ...rest, title: name, amount: amount ? Number(amount) : null }),
  },
  moves: [
    {
      provider: "proxmox-ts/corner",
      type: "corner_thing",
      move: ({ state }) => ({ id: String(state["id"]), title: String(state["name"]) }),
    },
  ],
  ...keptAs("successor"),
  // An object that moved here from `corner_thing` is still stored as one of that type.
  read({ api, id }) {
    const own = api.find<{ id: string; title: string; amount: number | null }>("successor", id.id);
    const former = api.find<{ id: string; name: string; size: number | null }>("thing", id.id);
    return own ?? (former && { id: former.id, title: former.name, amount: former.size ?? null });
  },
});
