/** What `web-tree-sitter` takes from the types of its compiler, which it does not install. */
interface EmscriptenModule {
  readonly wasmBinary?: Uint8Array;
}
