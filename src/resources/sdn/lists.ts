import { type CollectionCall, list, shown, string } from "#kit";
import type { PendingObject } from "#pve";
import { editedObject } from "./pending.ts";

/** A list of the SDN as it is edited: removed objects are shown until a commit takes them away. */
export const pendingList = (path: string) =>
  ({
    path,
    fixed: { pending: true },
    rows: ({ answer }: Pick<CollectionCall, "answer">) => editedRows(answer),
  }) as const;

export const editedRows = (answer: CollectionCall["answer"]) =>
  (answer as readonly PendingObject[]).map((one) => editedObject(one) ?? { ...one, state: "deleted" });

export const stateOfChange = shown(
  string(),
  "state",
  "What waits for a commit: `new`, `changed` or `deleted`. Null: it is in effect as it is shown.",
);

/** A list that PVE shows as one text. */
export const texts = (wire: string, doc: string) => shown(list(string()), wire, doc);

/** What no option of PVE's holds: a row has it as text. */
export const composed = (wire: string) =>
  ({
    wire,
    custom: { parse: (draft: { raw(option: string): unknown }) => JSON.parse(String(draft.raw(wire))) },
  }) as const;
