/** A node of the syntax tree: a part of the text, with its named parts. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  /** Counted from 1. */
  readonly line: number;
  readonly lastLine: number;
  readonly children: readonly Node[];
}

/** A place in a text that is no HCL. */
export class SyntaxProblem extends Error {
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

export const childOf = (node: Node | undefined, type: string): Node | undefined =>
  node?.children.find((child) => child.type === type);

/** A node and everything below it. */
export function* walk(node: Node): Generator<Node> {
  yield node;
  for (const child of node.children) yield* walk(child);
}
