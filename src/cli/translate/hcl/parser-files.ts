import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const read = (name: string): Uint8Array => readFileSync(fileURLToPath(import.meta.resolve(name)));

/** The parser and HCL's grammar, compiled. The build replaces this file by one that contains them (decision 023). */
export const parserFiles = (): { readonly runtime: Uint8Array; readonly grammar: Uint8Array } => ({
  runtime: read("web-tree-sitter/web-tree-sitter.wasm"),
  grammar: read("@tree-sitter-grammars/tree-sitter-hcl/tree-sitter-hcl.wasm"),
});
