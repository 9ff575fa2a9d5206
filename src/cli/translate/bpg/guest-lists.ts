import { flag, same } from "../conversions.ts";
import { attributeOf, type Block } from "../hcl/document.ts";
import type { Shape } from "../shape.ts";
import type { Translation } from "../translation.ts";

/** Filters here, by what a filter of theirs compares. */
const places = { name: "name", node_name: "node", status: "status", template: "template" } as const;

/** `filter { name = "template", values = [true] }`: of several values, any may match, which no filter here says. */
function filter({ body, node }: Block, translation: Translation): void {
  const [name, values, regex] = ["name", "values", "regex"].map((member) => {
    const attribute = attributeOf(body, member);
    return attribute && translation.expr(attribute.value);
  });
  const place = Object.entries(places).find(([one]) => one === name?.string)?.[1];
  const [value, ...more] = values?.items ?? [];
  const { out, setting } = translation;
  const isPlain = regex === undefined || regex.boolean === false;
  if (place !== undefined && value !== undefined && more.length === 0 && isPlain && !out.entries.has(place)) {
    const converted = (place === "template" ? flag : same)(value, setting.around);
    if (converted !== undefined) out.set(place, converted);
    return;
  }
  const todo = `write it as \`name\` (\`*\` and \`?\` match any characters), \`node\`, \`status\` or \`template\`, or as an \`if\` of a \`for\` expression`;
  out.tail.push(translation.note("hand", node.line, "filter", todo));
}

export const guestList: Shape = { blocks: { filter } };
