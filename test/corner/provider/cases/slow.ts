import { setTimeout as sleep } from "node:timers/promises";
import { bool, int, string, timeouts } from "#framework";
import { defineResource } from "../define.ts";

/** Takes a while, stops at Ctrl-C and at its timeout, and records when it begins. */
export const slow = defineResource({
  type: "corner_slow",
  doc: "Something that takes a while.",
  identity: ["id"],
  attributes: {
    id: { type: string(), mode: "computed", keep: true, doc: "Chosen by the store." },
    seconds: { type: int({ min: 0 }), mode: "required", local: true, doc: "How long it takes to make." },
    stubborn: { type: bool(), mode: "optional", local: true, doc: "Does not stop before it is done." },
    timeouts: timeouts({ create: "20m" }),
  },
  create({ api }) {
    const id = api.add("slow", {});
    api.note(`slow ${id} begun`);
    return { id };
  },
  async settle({ api, id, desired, signal }) {
    await sleep(desired.seconds * 1_000, undefined, desired.stubborn ? {} : { signal });
    api.note(`slow ${id.id} done`);
  },
  read: ({ api, id }) => api.find<{ id: string }>("slow", id.id),
  update: () => undefined,
  delete: ({ api, id }) => api.remove("slow", id.id),
});
