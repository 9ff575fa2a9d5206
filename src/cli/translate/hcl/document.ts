import { parse } from "./parser.ts";
import { childOf, type Node } from "./syntax.ts";

/** What stands around an attribute or a block: comments before it, and one at the end of its line. */
interface Commented {
  readonly before: readonly string[];
  readonly after: string | undefined;
}

export interface Attribute extends Commented {
  readonly kind: "attribute";
  readonly name: string;
  readonly value: Node;
  readonly node: Node;
}

export interface Block extends Commented {
  readonly kind: "block";
  readonly type: string;
  readonly labels: readonly string[];
  readonly body: Body;
  readonly node: Node;
}

export type Item = Attribute | Block;

export interface Body {
  readonly items: readonly Item[];
  /** Comments after the last item. */
  readonly tail: readonly string[];
}

/** A configuration file: its text, and what is in it. */
export class Document {
  readonly text: string;
  readonly root: Node;
  readonly body: Body;

  private constructor(text: string, root: Node) {
    this.text = text;
    this.root = root;
    this.body = this.#bodyOf(root);
  }

  static async parse(text: string): Promise<Document> {
    return new Document(text, await parse(text));
  }

  slice({ start, end }: Pick<Node, "start" | "end">): string {
    return this.text.slice(start, end);
  }

  /** The words of a node that is an identifier or a plain text in quotes. */
  word(node: Node): string {
    const literal = childOf(node, "template_literal");
    return node.type === "string_lit" ? (literal === undefined ? "" : this.slice(literal)) : this.slice(node);
  }

  #bodyOf(node: Node): Body {
    const parts = node.children.flatMap((child) => (child.type === "body" ? child.children : [child]));
    const items: Item[] = [];
    let waiting: string[] = [];
    let last = childOf(node, "block_start")?.line ?? 0;
    for (const part of parts) {
      if (part.type === "comment") {
        const previous = items.at(-1);
        const comment = this.slice(part).trimEnd();
        if (part.line === last && previous !== undefined && previous.after === undefined && !comment.includes("\n"))
          items[items.length - 1] = { ...previous, after: comment };
        else waiting.push(comment);
      } else if (part.type === "attribute" || part.type === "block") {
        items.push(this.#item(part, waiting));
        waiting = [];
      }
      last = part.lastLine;
    }
    return { items, tail: waiting };
  }

  #item(node: Node, before: readonly string[]): Item {
    const [head, ...rest] = node.children;
    const name = head === undefined ? "" : this.slice(head);
    if (node.type === "attribute") {
      const value = childOf(node, "expression") ?? node;
      return { kind: "attribute", name, value, node, before, after: undefined };
    }
    const labels = rest.filter(({ type }) => type === "string_lit" || type === "identifier");
    return {
      kind: "block",
      type: name,
      labels: labels.map((label) => this.word(label)),
      body: this.#bodyOf(node),
      node,
      before,
      after: undefined,
    };
  }
}

export const attributeOf = (body: Body, name: string): Attribute | undefined =>
  body.items.find((item): item is Attribute => item.kind === "attribute" && item.name === name);

export const blocksOf = (body: Body, type: string): Block[] =>
  body.items.filter((item): item is Block => item.kind === "block" && item.type === type);
