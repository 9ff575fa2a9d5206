import type { Document } from "./hcl/document.ts";
import { childOf, type Node, walk } from "./hcl/syntax.ts";

/** A step from a value to a part of it. */
export type Step =
  | { readonly kind: "name"; readonly name: string; readonly end: number }
  | { readonly kind: "index"; readonly node: Node; readonly literal: string | undefined; readonly end: number }
  | { readonly kind: "splat"; readonly end: number };

/** `proxmox_vm.web[0].name`: where it begins, and its steps. */
export interface Traversal {
  readonly start: number;
  readonly line: number;
  readonly root: string;
  readonly steps: readonly Step[];
}

/** All traversals of a document, also those in indexes of others. */
export function traversalsIn(document: Document, node: Node): Traversal[] {
  const found: Traversal[] = [];
  const visit = (parent: Node): void => {
    parent.children.forEach((child, index) => {
      if (child.type === "variable_expr") {
        const followers = parent.children.slice(index + 1);
        const until = followers.findIndex(({ type }) => !/^(get_attr|index|splat)$/.test(type));
        const steps = (until < 0 ? followers : followers.slice(0, until)).flatMap((one) => stepsOf(document, one));
        found.push({ start: child.start, line: child.line, root: document.slice(child), steps });
      }
      visit(child);
    });
  };
  visit(node);
  return found;
}

function stepsOf(document: Document, node: Node): Step[] {
  const [inner] = node.children;
  if (node.type === "get_attr") return [{ kind: "name", name: inner ? document.slice(inner) : "", end: node.end }];
  if (node.type === "splat") {
    const splat = inner ?? node;
    const end = splat.children[0]?.start ?? splat.end;
    return [{ kind: "splat", end }, ...splat.children.flatMap((child) => stepsOf(document, child))];
  }
  if (node.type !== "index" || inner === undefined) return [];
  const text = document.slice(inner).replace(/^\[\s*|\s*\]$|^\./g, "");
  const literal = /^\d+$|^"[^"$%\\]*"$/.test(text) ? text : undefined;
  return [{ kind: "index", node: inner, literal, end: node.end }];
}

/** A variable of a `for` expression, or of a `for` in a template: where it counts, and the collection whose elements it holds. */
export interface Loop {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly collection: Node;
}

export function loopsIn(document: Document, node: Node): Loop[] {
  return [...walk(node)].flatMap((one) => {
    const intro = childOf(one, "for_intro") ?? childOf(one, "template_for_start");
    const names = intro?.children.filter(({ type }) => type === "identifier") ?? [];
    const collection = childOf(intro, "expression");
    const name = names.at(-1);
    if (intro === undefined || collection === undefined || name === undefined) return [];
    return [{ name: document.slice(name), start: intro.end, end: one.end, collection }];
  });
}
