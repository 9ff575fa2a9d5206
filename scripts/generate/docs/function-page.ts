import type { CtyType, FunctionParameter, FunctionSchema } from "#framework";
import type { Example } from "./examples.ts";
import { exampleSection, fenced, page } from "./page.ts";
import { requirementNote } from "./requirements.ts";
import { describeType } from "./schema-section.ts";

export function functionPage(name: string, schema: FunctionSchema, examples: readonly Example[]): string {
  const { parameters, variadicParameter: rest, returnType, description, summary } = schema;
  const all = [...parameters, ...(rest ? [{ ...rest, name: `${rest.name}...` }] : [])];
  const signature = `${name}(${all.map((one) => `${one.name} ${inShort(one.type)}`).join(", ")}) ${inShort(returnType)}`;
  return page({ title: `${name} (Function)`, subcategory: "", doc: description || summary }, [
    ...requirementNote("functions"),
    ...exampleSection(examples),
    "## Signature",
    fenced("text", signature),
    "## Arguments",
    all.map(argument).join("\n"),
    "## Return Type",
    `\`${describeType(returnType)}\``,
  ]);
}

const argument = ({ name, type, description, allowNull }: FunctionParameter, index: number): string =>
  `${index + 1}. \`${name}\` (${describeType(type)}${allowNull ? ", Nullable" : ""}) ${description}`;

const inShort = (type: CtyType): string => {
  if (typeof type === "string") return type;
  const [kind, inner] = type;
  return kind === "object" || kind === "tuple" ? kind : `${kind} of ${inShort(inner as CtyType)}`;
};
