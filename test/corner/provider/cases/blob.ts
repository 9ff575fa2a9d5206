import { string } from "#framework";
import { defineResource, keptAs } from "../define.ts";

/** Values of several megabytes, above the default limits of gRPC. */
export const blob = defineResource({
  type: "corner_blob",
  doc: "Something large.",
  identity: ["id"],
  attributes: {
    id: { type: string(), mode: "computed", keep: true, doc: "Chosen by the store." },
    content: { type: string(), mode: "required", doc: "Any amount of text." },
  },
  ...keptAs("blob"),
});
