import { Language, Parser, type Tree, type TreeCursor, type Node as TreeNode } from "web-tree-sitter";
import { parserFiles } from "./parser-files.ts";
import { type Node, SyntaxProblem } from "./syntax.ts";

let opened: Promise<Parser> | undefined;

async function open(): Promise<Parser> {
  const { runtime, grammar } = parserFiles();
  await Parser.init({ wasmBinary: runtime });
  const parser = new Parser();
  parser.setLanguage(await Language.load(grammar));
  return parser;
}

/** The syntax tree of a configuration; throws a `SyntaxProblem` where the text is no HCL. */
export async function parse(text: string): Promise<Node> {
  opened ??= open();
  const tree = (await opened).parse(text);
  if (tree === null) throw new SyntaxProblem("The text cannot be parsed", 1);
  try {
    const fault = tree.rootNode.hasError ? firstFault(tree.rootNode) : null;
    if (fault !== null) throw fault;
    return detached(tree);
  } finally {
    tree.delete();
  }
}

/** The innermost place that the parser could not make sense of. */
function firstFault(root: TreeNode): SyntaxProblem {
  let node = root;
  for (let inner: TreeNode | undefined = root; inner !== undefined; ) {
    node = inner;
    inner = node.isError ? undefined : node.children.find((child) => child.hasError || child.isMissing);
  }
  const line = node.startPosition.row + 1;
  if (node.isMissing && node.parent !== null && node.type.endsWith("_end"))
    return new SyntaxProblem("what begins here has no end", node.parent.startPosition.row + 1);
  if (node.isMissing) return new SyntaxProblem(`${JSON.stringify(node.type)} is missing`, line);
  const [shown = ""] = node.text.slice(0, 1_000).split("\n");
  return new SyntaxProblem(`unexpected ${JSON.stringify(shown.slice(0, 60))}`, line);
}

/** Nodes within each other, of which a pair of brackets is four. What reads the tree calls itself for each. */
const deepest = 1_000;

/** The tree as plain objects. A cursor visits it, since nodes of the parser keep their children as long as they exist. */
function detached(tree: Tree): Node {
  const cursor = tree.walk();
  const root = made(cursor);
  const open: Made[] = [root];
  const enter = () => {
    const node = made(cursor);
    const around = open.at(-1);
    if (cursor.nodeIsNamed && around !== undefined) {
      if (around.children === none) around.children = [];
      around.children.push(node);
    }
    if (open.push(node) > deepest) throw new SyntaxProblem("expressions or blocks are nested too deeply", node.line);
  };
  try {
    for (;;) {
      if (!cursor.gotoFirstChild()) {
        while (!cursor.gotoNextSibling()) {
          if (!cursor.gotoParent()) return root;
          open.pop();
        }
        open.pop();
      }
      enter();
    }
  } finally {
    cursor.delete();
  }
}

type Made = Omit<Node, "children"> & { children: Node[] };

/** Most nodes have no parts. */
const none: Node[] = [];

const made = (cursor: TreeCursor): Made => ({
  type: cursor.nodeType,
  start: cursor.startIndex,
  end: cursor.endIndex,
  line: cursor.startPosition.row + 1,
  lastLine: cursor.endPosition.row + 1,
  children: none,
});
