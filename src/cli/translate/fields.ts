import type { Block, Body } from "./hcl/document.ts";
import type { Expr } from "./hcl/expr.ts";
import type { Obj } from "./hcl/output.ts";
import type { Node } from "./hcl/syntax.ts";

/** Arguments and blocks, of a body or of an object that is written out. */
export interface Fields {
  readonly attributes: readonly Field[];
  readonly blocks: readonly Block[];
  readonly tail: readonly string[];
}

export interface Field {
  readonly name: string;
  readonly value: Expr;
  readonly line: number;
  readonly before: readonly string[];
  readonly after: string | undefined;
}

/** Where values go: an object here, and the part of their paths that it stands for. */
export interface Place {
  readonly prefix: string;
  readonly object: Obj;
  /** Values for another place have none to go to. */
  readonly isClosed: boolean;
}

const meta = new Set(["count", "for_each", "provider", "depends_on", "lifecycle", "provisioner", "connection"]);

/** What a body gives, without what Terraform itself reads. */
export function ownFields({ items, tail }: Body, expr: (node: Node) => Expr): Fields {
  const attributes = items.flatMap((item) =>
    item.kind === "attribute" && !meta.has(item.name)
      ? [{ ...item, value: expr(item.value), line: item.node.line }]
      : [],
  );
  const blocks = items.flatMap((item) => (item.kind === "block" && !meta.has(item.type) ? [item] : []));
  return { attributes, blocks, tail };
}

/** What an object gives that is written out. */
export function memberFields(object: Expr): Fields {
  const attributes = (object.members ?? []).map(([name, value]) => ({
    name,
    value,
    line: value.node.line,
    before: [],
    after: undefined,
  }));
  return { attributes, blocks: [], tail: [] };
}
