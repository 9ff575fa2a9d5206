import type { Document } from "./document.ts";
import { applyEdits, type Edit } from "./edits.ts";
import { Raw } from "./output.ts";
import { childOf, type Node, walk } from "./syntax.ts";

/** A document with the edits of its expressions. */
export interface Source {
  readonly document: Document;
  readonly edits: readonly Edit[];
}

/** A piece of a template: text as it is written, or an expression. */
export type Piece = { readonly literal: string } | { readonly expression: string };

/** An expression of a configuration, with references already translated. */
export class Expr {
  readonly node: Node;
  readonly text: string;
  readonly #source: Source;

  constructor(source: Source, node: Node) {
    this.#source = source;
    this.node = node;
    this.text = applyEdits(source.document.text, source.edits, node.start, node.end);
  }

  /** Whether lines of it must stay where they are. */
  get isFixed(): boolean {
    return [...walk(this.node)].some(({ type }) => type === "heredoc_template");
  }

  get raw(): Raw {
    return new Raw(this.text, this.isFixed);
  }

  /** The text that is written, without escapes; undefined: not a plain text. */
  get string(): string | undefined {
    const literal = childOf(this.#inner, "string_lit");
    if (this.#inner?.type !== "literal_value" || literal === undefined) return undefined;
    const content = this.#source.document.word(literal);
    return /\\|\$\$|%%/.test(content) ? undefined : content;
  }

  get number(): number | undefined {
    const text = this.#literal("numeric_lit") ?? this.string;
    return text !== undefined && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;
  }

  get boolean(): boolean | undefined {
    const text = this.#literal("bool_lit") ?? this.string;
    return text === "true" ? true : text === "false" ? false : undefined;
  }

  get isNull(): boolean {
    return this.#literal("null_lit") !== undefined;
  }

  /** The pieces of a text with interpolations; undefined: no such text, or one with directives. */
  get pieces(): Piece[] | undefined {
    const text = this.string;
    if (text !== undefined) return [{ literal: text }];
    const template = childOf(this.#inner, "quoted_template");
    if (this.#inner?.type !== "template_expr" || template === undefined) return undefined;
    const inner = template.children.filter(({ type }) => !type.startsWith("quoted_template"));
    if (inner.some(({ type }) => type !== "template_literal" && type !== "template_interpolation")) return undefined;
    return inner.map((piece) => {
      const expression = childOf(piece, "expression");
      return expression === undefined
        ? { literal: this.#source.document.slice(piece) }
        : { expression: new Expr(this.#source, expression).text };
    });
  }

  /** The expressions of a list that is written out; undefined: not one. */
  get items(): Expr[] | undefined {
    const tuple = childOf(this.#inner, "tuple");
    const items = tuple?.children.filter(({ type }) => type === "expression");
    return items?.map((item) => new Expr(this.#source, item));
  }

  /** The members of an object that is written out; undefined: not one. */
  get members(): [name: string, value: Expr][] | undefined {
    const object = childOf(this.#inner, "object");
    const elements = object?.children.filter(({ type }) => type === "object_elem");
    return elements?.map((element) => {
      const [name, value] = element.children.filter(({ type }) => type === "expression");
      const key = name === undefined ? undefined : new Expr(this.#source, name);
      return [key?.string ?? key?.text ?? "", new Expr(this.#source, value ?? element)];
    });
  }

  /** `C ? [one] : []`, the usual way to make a block optional: its condition. */
  get condition(): string | undefined {
    const node = this.#inner;
    if (node?.type !== "conditional") return undefined;
    const [condition, yes, no] = node.children.map((child) => new Expr(this.#source, child));
    return yes?.items?.length === 1 && no?.items?.length === 0 ? condition?.text : undefined;
  }

  get #inner(): Node | undefined {
    const [first, ...more] = this.node.children;
    return more.length === 0 ? first : undefined;
  }

  #literal(type: string): string | undefined {
    const node = childOf(this.#inner, type);
    return this.#inner?.type === "literal_value" && node ? this.#source.document.slice(node) : undefined;
  }
}
