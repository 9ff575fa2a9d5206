import type { CtyType, Schema, SchemaAttribute } from "#framework";

/** The attributes in the layout of the Registry: by mode, with sections for nested ones. */
export function schemaSection({ attributes }: Pick<Schema, "attributes">, heading = "## Schema"): string[] {
  return [heading, ...groups(attributes, []), ...nestedSections(attributes, [])];
}

function groups(attributes: SchemaAttribute[], path: readonly string[]): string[] {
  const parts: [string, SchemaAttribute[]][] = [
    ["Required", attributes.filter(({ required }) => required)],
    ["Optional", attributes.filter(({ optional }) => optional)],
    ["Read-Only", attributes.filter(({ required, optional }) => !required && !optional)],
  ];
  const title = (name: string) => (path.length === 0 ? `### ${name}` : `${name}:`);
  return parts
    .filter(([, members]) => members.length > 0)
    .flatMap(([name, members]) => [title(name), list(members, path)]);
}

const list = (attributes: SchemaAttribute[], path: readonly string[]): string =>
  attributes
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map((attribute) => line(attribute, path))
    .join("\n");

function line(attribute: SchemaAttribute, path: readonly string[]): string {
  const { name, description, sensitive, writeOnly, nested, deprecationMessage } = attribute;
  const traits = [typeName(attribute), ...(sensitive ? ["Sensitive"] : []), ...(writeOnly ? [writeOnlyLink] : [])];
  const more = nested ? ` (see [below](#${anchor([...path, name])}))` : "";
  const warning = deprecationMessage === undefined ? "" : ` **Deprecated:** ${deprecationMessage}`;
  return `- \`${name}\` (${traits.join(", ")}) ${description}${warning}${more}`;
}

const writeOnlyLink =
  "[Write-only](https://developer.hashicorp.com/terraform/language/resources/ephemeral#write-only-arguments)";

function nestedSections(attributes: SchemaAttribute[], path: readonly string[]): string[] {
  return attributes
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap(({ name, nested }) => {
      if (!nested) return [];
      const here = [...path, name];
      const heading = `<a id="${anchor(here)}"></a>\n### Nested Schema for \`${here.join(".")}\``;
      return [heading, ...groups(nested.attributes, here), ...nestedSections(nested.attributes, here)];
    });
}

const anchor = (path: readonly string[]): string => `nestedatt--${path.join("--")}`;

function typeName({ type, nested }: SchemaAttribute): string {
  if (nested) return nested.nesting === "single" ? "Attributes" : `Attributes ${capital(nested.nesting)}`;
  return type === undefined ? "Dynamic" : describeType(type);
}

/** `["list", "string"]` is a "List of String". */
export function describeType(type: CtyType): string {
  if (typeof type === "string") return words[type] ?? capital(type);
  const [kind, inner] = type;
  if (kind === "object") {
    const members = Object.entries(inner as Record<string, CtyType>);
    return `Object({ ${members.map(([name, member]) => `${name}: ${describeType(member)}`).join(", ")} })`;
  }
  if (kind === "tuple") return `Tuple(${(inner as CtyType[]).map(describeType).join(", ")})`;
  return `${capital(kind)} of ${describeType(inner as CtyType)}`;
}

const words: Readonly<Record<string, string>> = { bool: "Boolean", dynamic: "Dynamic" };

const capital = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
