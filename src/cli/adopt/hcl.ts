import { quote } from "../../resources/functions/import-text.ts";

/** An expression that is printed as it is: `proxmox_pool.web.id`. */
export class Expression {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Entry = readonly [name: string, value: unknown];

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Expression);

/** Text as a literal, in which nothing is evaluated. */
export const quoted = quote;

/** Words that mean something else at the start of an object. */
const keywords = new Set(["for", "null", "true", "false"]);

const key = (name: string): string => (/^[A-Za-z_][\w-]*$/.test(name) && !keywords.has(name) ? name : quote(name));

/** An object on one line: `{ vmid = 101, node = "pve1" }`. */
export const row = (values: Readonly<Record<string, unknown>>): Expression =>
  new Expression(
    `{ ${Object.entries(values)
      .map(([name, value]) => `${key(name)} = ${print(value, "")}`)
      .join(", ")} }`,
  );

/** A value as `terraform fmt` would leave it. */
function print(value: unknown, indent: string): string {
  if (value instanceof Expression) return value.text;
  if (typeof value === "string") return quote(value);
  if (Array.isArray(value)) return printList(value, indent);
  if (!isObject(value)) return String(value);
  const entries = Object.entries(value);
  if (entries.length === 0) return "{}";
  return `{\n${printEntries(entries, `${indent}  `)}\n${indent}}`;
}

function printList(items: readonly unknown[], indent: string): string {
  const short = `[${items.map((item) => print(item, indent)).join(", ")}]`;
  if (!short.includes("\n") && short.length + indent.length < 110) return short;
  const lines = items.map((item) => `${indent}  ${print(item, `${indent}  `)},`);
  return `[\n${lines.join("\n")}\n${indent}]`;
}

/** `toset(["a", "b"])` */
export const setOf = (items: readonly string[]): Expression => new Expression(`toset(${printList(items, "  ")})`);

/** Equal signs stand below each other in a run of values of one line each. */
function printEntries(entries: readonly Entry[], indent: string): string {
  const printed = entries.map(([name, value]) => ({ name: key(name), value: print(value, indent) }));
  const runs: (typeof printed)[] = [];
  for (const [index, entry] of printed.entries()) {
    const before = printed[index - 1];
    const isContinued = before !== undefined && !before.value.includes("\n") && !entry.value.includes("\n");
    if (isContinued) runs.at(-1)?.push(entry);
    else runs.push([entry]);
  }
  return runs
    .flatMap((run) => {
      const width = Math.max(...run.map(({ name }) => name.length));
      return run.map(({ name, value }) => `${indent}${name.padEnd(width)} = ${value}`);
    })
    .join("\n");
}

/** `resource "proxmox_vm" "web" { … }` */
export function block(head: string, values: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(values);
  return entries.length === 0 ? `${head} {}\n` : `${head} {\n${printEntries(entries, "  ")}\n}\n`;
}
