import { quote } from "../../../resources/functions/import-text.ts";

/** An expression, printed as it is. */
export class Raw {
  readonly text: string;
  /** Lines of it must stay where they are: a heredoc, for instance. */
  readonly isFixed: boolean;

  constructor(text: string, isFixed = false) {
    this.text = text;
    this.isFixed = isFixed;
  }
}

export type Value = Raw | Obj | readonly Value[];

interface Entry {
  readonly value: Value;
  readonly before: readonly string[];
  readonly after: string | undefined;
}

/** An object, or the body of a block, with its comments. */
export class Obj {
  readonly entries = new Map<string, Entry>();
  /** Comments at its end. */
  readonly tail: string[] = [];
  /** Further members, as expressions that are maps. */
  readonly more: string[] = [];
  /** Blocks of a body, which stand after all arguments, as they are printed. */
  readonly blocks: string[] = [];

  get isEmpty(): boolean {
    return this.entries.size === 0 && this.tail.length === 0 && this.more.length === 0 && this.blocks.length === 0;
  }

  set(name: string, value: Value, comments: { before?: readonly string[]; after?: string | undefined } = {}): void {
    const { before = [], after } = comments;
    this.entries.set(name, { value, before, after });
  }

  /** The object at a path, made where there is none. */
  at(path: readonly string[]): Obj {
    const [name, ...inner] = path;
    if (name === undefined) return this;
    const known = this.entries.get(name)?.value;
    if (known instanceof Obj) return known.at(inner);
    const made = new Obj();
    this.set(name, made);
    return made.at(inner);
  }
}

const width = 110;
const key = (name: string): string => (/^[A-Za-z_][\w-]*$/.test(name) || name.startsWith("(") ? name : quote(name));

/** Moves the lines after the first of an expression by as much as its first line has moved. */
function indented({ text, isFixed }: Raw, indent: string): string {
  if (isFixed || !text.includes("\n")) return text;
  const [first = "", ...rest] = text.split("\n");
  const own = Math.min(
    ...rest.filter((line) => line.trim() !== "").map((line) => line.length - line.trimStart().length),
  );
  const last = rest.at(-1) ?? "";
  const base = last.length - last.trimStart().length;
  const shift = indent.length - Math.min(base, own + base);
  const move = (line: string) =>
    shift >= 0 ? " ".repeat(shift) + line : line.slice(Math.min(-shift, line.length - line.trimStart().length));
  return [first, ...rest.map((line) => (line.trim() === "" ? "" : move(line)))].join("\n");
}

export function print(value: Value, indent: string): string {
  if (value instanceof Raw) return indented(value, indent);
  if (value instanceof Obj) return printObject(value, indent);
  const short = `[${value.map((item) => print(item, indent)).join(", ")}]`;
  if (!short.includes("\n") && short.length + indent.length < width) return short;
  const lines = value.map((item) => {
    const isLast = item instanceof Raw && item.isFixed;
    return `${indent}  ${print(item, `${indent}  `)}${isLast ? `\n${indent}  ` : ""},`;
  });
  return `[\n${lines.join("\n")}\n${indent}]`;
}

function printObject(object: Obj, indent: string): string {
  if (object.more.length === 0) return printMembers(object, indent);
  const own = printMembers(object, `${indent}  `);
  const parts = [...(object.entries.size === 0 && object.tail.length === 0 ? [] : [own]), ...object.more];
  if (parts.length === 1) return parts[0] ?? "";
  const short = `merge(${parts.join(", ")})`;
  if (!short.includes("\n") && short.length + indent.length < width) return short;
  return `merge(\n${parts.map((part) => `${indent}  ${part}`).join(",\n")}\n${indent})`;
}

function printMembers(object: Obj, indent: string): string {
  const entries = [...object.entries];
  if (entries.length === 0 && object.tail.length === 0) return "{}";
  const isPlain = object.tail.length === 0 && entries.every(([, { before, after }]) => before.length === 0 && !after);
  if (isPlain) {
    const short = `{ ${entries.map(([name, { value }]) => `${key(name)} = ${print(value, indent)}`).join(", ")} }`;
    if (!short.includes("\n") && short.length + indent.length < width - 20) return short;
  }
  return `{\n${printBody(object, `${indent}  `)}\n${indent}}`;
}

const commentLines = (comments: readonly string[], indent: string): string[] =>
  comments.flatMap((comment) => comment.split("\n").map((line) => `${indent}${line.trim()}`));

/** The lines of a body; equal signs stand below each other in a run of arguments of one line each. */
export function printBody(object: Obj, indent: string): string {
  const printed = [...object.entries].map(([name, entry]) => ({
    ...entry,
    name: key(name),
    text: print(entry.value, indent),
  }));
  const widths = printed.map(({ name }) => name.length);
  const isBroken = (index: number): boolean => printed[index]?.text.includes("\n") ?? true;
  for (let start = 0; start < printed.length; ) {
    let end = start + 1;
    while (end < printed.length && !isBroken(end - 1) && !isBroken(end) && printed[end]?.before.length === 0) end++;
    const widest = Math.max(...widths.slice(start, end));
    for (let index = start; index < end; index++) widths[index] = widest;
    start = end;
  }
  const lines = printed.flatMap(({ name, text, before, after, value }, index) => {
    // Nothing may stand behind the last line of a heredoc.
    const isLast = value instanceof Raw && value.isFixed;
    return [
      ...commentLines(after && isLast ? [...before, after] : before, indent),
      `${indent}${name.padEnd(widths[index] ?? 0)} = ${text}${after && !isLast ? ` ${after}` : ""}`,
    ];
  });
  const blocks = object.blocks.map((block) => `\n${block}`);
  return [...lines, ...blocks, ...commentLines(object.tail, indent)].join("\n");
}
