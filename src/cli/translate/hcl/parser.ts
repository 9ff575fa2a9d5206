import { Language, Parser, type Node as TreeNode } from "web-tree-sitter";
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
    return detached(tree.rootNode);
  } finally {
    tree.delete();
  }
}

/** The innermost place that the parser could not make sense of. */
function firstFault(node: TreeNode): SyntaxProblem {
  const inner = node.children.find((child) => child.hasError || child.isMissing);
  if (inner !== undefined && !node.isError) return firstFault(inner);
  const line = node.startPosition.row + 1;
  if (node.isMissing && node.parent !== null && node.type.endsWith("_end"))
    return new SyntaxProblem("what begins here has no end", node.parent.startPosition.row + 1);
  if (node.isMissing) return new SyntaxProblem(`${JSON.stringify(node.type)} is missing`, line);
  const [shown = ""] = node.text.split("\n");
  return new SyntaxProblem(`unexpected ${JSON.stringify(shown.slice(0, 60))}`, line);
}

const detached = (node: TreeNode): Node => ({
  type: node.type,
  start: node.startIndex,
  end: node.endIndex,
  line: node.startPosition.row + 1,
  lastLine: node.endPosition.row + 1,
  children: node.namedChildren.map((child) => detached(child)),
});
