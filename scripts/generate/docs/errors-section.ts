import type { Attribute, Attributes } from "#framework";

/** What of a definition decides which errors its users meet. */
export interface Fallible {
  readonly type: string;
  readonly attributes: Attributes;
  readonly identity?: readonly string[] | { readonly attributes: readonly string[] };
}

/** How its objects come to be: a definition creates them, takes over what is always there, or the resource is written by hand. */
export type Origination = "created" | "taken_over" | "own";

/** The errors that a plan refuses a change with, as far as they follow from the definition. */
export function errorsSection(
  { type, attributes, identity }: Fallible,
  origination: Origination,
  hasPrivileges: boolean,
): string[] {
  const references = [...referring(attributes, "")].map((path) => `\`${path}\``);
  const idOf = (identity && "attributes" in identity ? identity.attributes : identity) as readonly string[] | undefined;
  const lines = [
    ...(origination === "created"
      ? ["- **It exists already.** The plan refuses to create it a second time, and says how to import it."]
      : []),
    ...(references.length > 0
      ? [
          `- **A name that does not exist**, in ${references.join(", ")}. The plan lists what exists. Check the spelling, or refer to the resource that creates it, which also sets the order.`,
        ]
      : []),
    ...(hasPrivileges
      ? [
          `- **A missing privilege.** The plan names it, its path and the commands that grant it; \`terraform-provider-proxmox doctor role --for ${type}\` prints all of them.`,
        ]
      : []),
    ...(origination === "created" && idOf !== undefined && idOf.length > 1
      ? [`- **Not the ID of an object**, during an import. It has the form \`${idOf.join("/")}\`.`]
      : []),
    "- **Anything else**: the message has the call, the task and the end of its log. [Troubleshooting](../guides/troubleshooting.md) goes through them.",
  ];
  return ["## Common Errors", lines.join("\n")];
}

/** Arguments that name another object, by path. */
function* referring(attributes: Attributes, prefix: string): Generator<string> {
  for (const [name, attribute] of Object.entries(attributes)) {
    const { type, refers, mode } = attribute as Attribute & { readonly refers?: unknown };
    if (mode === "computed") continue;
    if (refers !== undefined) yield `${prefix}${name}`;
    const { shape } = type;
    const inner = "element" in shape ? shape.element.shape : shape;
    if (inner.kind === "nested") yield* referring(inner.attributes, `${prefix}${name}.`);
  }
}
