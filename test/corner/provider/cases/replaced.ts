import { string } from "#framework";
import { defineResource, keptAs } from "../define.ts";

const isOlder = ({ prior, planned }: { prior: unknown; planned: unknown }) =>
  String(planned ?? "") < String(prior ?? "");

/** Attributes whose change means a new object: always, with a reason shown, or depending on the values. */
export const replaced = defineResource({
  type: "corner_replaced",
  doc: "Something that cannot change all of its attributes.",
  identity: ["id"],
  attributes: {
    id: { type: string(), mode: "computed", keep: true, doc: "Chosen by the store." },
    kind: { type: string(), mode: "required", replace: true, doc: "Never changes." },
    zone: {
      type: string(),
      mode: "optional",
      replace: "A thing cannot leave its zone.",
      doc: "Never changes, and says why.",
    },
    version: {
      type: string(),
      mode: "optional",
      replace: { when: "if it is older", decide: isOlder },
      doc: "Only grows in place.",
    },
    note: { type: string(), mode: "optional", doc: "Changes in place." },
  },
  ...keptAs("replaced"),
});
