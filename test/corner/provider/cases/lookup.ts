import { int, string } from "#framework";
import { defineAction, defineDataSource, defineFunction } from "../define.ts";

/** Finds what `corner_thing` made, by its id. */
export const thingLookup = defineDataSource({
  type: "corner_thing",
  doc: "An existing thing.",
  attributes: {
    id: { type: string(), mode: "required", doc: "Its id." },
    name: { type: string(), mode: "computed", doc: "What it is called." },
    revision: { type: int(), mode: "computed", doc: "How often it was written." },
  },
  read({ api, config }) {
    const found = api.find<{ name: string; revision: number }>("thing", config.id);
    return found && { name: found.name, revision: found.revision };
  },
});

/** A pure function with a parameter it may refuse and any number of further ones. */
export const label = defineFunction({
  name: "label",
  summary: "Joins words.",
  doc: "Joins words by a separator that may not be empty.",
  parameters: { separator: { type: string(), doc: "Between two words." } },
  variadic: { words: { type: string(), doc: "The words." } },
  returns: string(),
  call({ separator, words }, { fail }) {
    if (separator === "") return fail("separator", "must not be empty");
    return words.join(separator);
  },
});

/** An action that reports its progress. */
export const shout = defineAction({
  type: "corner_shout",
  doc: "Says something loudly.",
  attributes: { words: { type: string(), mode: "required", doc: "What to say." } },
  invoke({ api, config, progress }) {
    progress(`about to say ${config.words}`);
    api.note(config.words.toUpperCase());
  },
});
