import { Decimal, decimal, int, list, number, string } from "#framework";
import { defineResource } from "../define.ts";

type AnyNumber = number | bigint | Decimal;

interface Stored {
  id: string;
  exact: string | null;
  many: string[] | null;
  whole: number | null;
  fraction: number | null;
}

const toText = (value: AnyNumber | null) => (value === null ? null : String(value));

/** JSON files would round what is beyond a double, so exact numbers are kept as text. */
const fromText = (text: string): AnyNumber => (/^-?\d+$/.test(text) ? BigInt(text) : new Decimal(text));

/** Numbers of any size and precision come back digit for digit. */
export const numbers = defineResource({
  type: "corner_numbers",
  doc: "Something that counts.",
  identity: ["id"],
  attributes: {
    id: { type: string(), mode: "computed", keep: true, doc: "Chosen by the store." },
    exact: { type: decimal(), mode: "optional", doc: "Any number at all." },
    many: { type: list(decimal()), mode: "optional", doc: "Any numbers at all." },
    whole: { type: int(), mode: "optional", doc: "A whole number a double holds." },
    fraction: { type: number(), mode: "optional", doc: "A number a double holds." },
  },
  create({ api, desired }) {
    return {
      id: api.add("numbers", { ...desired, exact: toText(desired.exact), many: desired.many?.map(toText) ?? null }),
    };
  },
  read({ api, id }) {
    const found = api.find<Stored>("numbers", id.id);
    if (!found) return null;
    return {
      ...found,
      exact: found.exact === null ? null : fromText(found.exact),
      many: found.many?.map(fromText) ?? null,
    };
  },
  update({ api, id, desired }) {
    api.change("numbers", id.id, { ...desired, exact: toText(desired.exact), many: desired.many?.map(toText) ?? null });
  },
  delete: ({ api, id }) => api.remove("numbers", id.id),
});
