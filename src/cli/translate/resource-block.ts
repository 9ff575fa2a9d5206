import { dataSource } from "./data-source.ts";
import type { Document } from "./hcl/document.ts";
import type { Edit } from "./hcl/edits.ts";
import { type Obj, printBody, Raw } from "./hcl/output.ts";
import { withMeta } from "./meta-arguments.ts";
import type { Foreign, Module } from "./module.ts";
import type { Notes } from "./notes.ts";
import { isMovable } from "./tables.ts";
import { type Setting, Translation } from "./translation.ts";

interface Context {
  readonly document: Document;
  readonly edits: readonly Edit[];
  readonly notes: Notes;
  readonly module: Module;
}

/** The text of a resource or data source here, with the blocks that bring its state over. */
export function translated(foreign: Foreign, context: Context): string {
  const { kind, type, name, block, entry, shape, address } = foreign;
  const { document, edits, notes, module } = context;
  const shown = `${kind === "data" ? "data." : ""}${type}.${name}`;
  const around = {
    mayBeNull: (text: string) => module.mayBeNull(text),
    emptyOf: (text: string) => module.emptyOf(text),
    usesAddressOf: (wanted: string) => module.usesAddressOf(wanted),
  };
  const setting: Setting = {
    source: { document, edits },
    entry,
    shape,
    notes,
    around,
    address: shown,
    isDropped: (text) => module.isDropped(text),
  };
  const body = kind === "data" ? dataSource(setting, block.body) : new Translation(setting, block.body).run();
  const [newType, newName] = (address ?? "").split(".");
  const whole = withMeta(block, body, setting);
  const text = whole.isEmpty ? "{}" : `{\n${printBody(whole, "  ")}\n}`;
  const head = `${kind} "${newType}" "${newName}" ${text}`;
  return kind === "data" ? head : `${head}\n\n${stateOf(foreign, body, setting)}`;
}

/** How the state comes over: moved, or forgotten there and imported here. */
function stateOf({ type, name, entry, address, block, shape }: Foreign, body: Obj, { notes }: Setting): string {
  const from = `${type}.${name}`;
  if (isMovable(entry.peer, type, entry.target ?? "")) return `moved {\n  from = ${from}\n  to   = ${address}\n}`;
  const id = shape.importId?.((member) => {
    const value = body.entries.get(member)?.value;
    const isLiteral = value instanceof Raw && /^(\d+|"[^"$%]*")$/.test(value.text);
    return isLiteral ? value.text.replaceAll('"', "") : undefined;
  });
  const isOne = id !== undefined && /^[\w.:/@-]+$/.test(id);
  const todo = isOne
    ? `its state cannot be moved: if it exists, import it: import { to = ${address}, id = "${id}" }`
    : "its state cannot be moved: if it exists, import it with an `import` block";
  const comment = notes.add("hand", block.node.line, `${from}: state`, todo);
  return `${comment}\n${forgotten(from)}`;
}

/** Takes a resource out of the state and leaves the object alone. */
export const forgotten = (address: string): string =>
  `removed {\n  from = ${address}\n\n  lifecycle {\n    destroy = false\n  }\n}`;
