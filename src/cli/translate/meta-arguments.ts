import { attributeOf, type Block, type Item } from "./hcl/document.ts";
import { applyEdits } from "./hcl/edits.ts";
import { Expr } from "./hcl/expr.ts";
import { Obj, printBody, Raw } from "./hcl/output.ts";
import type { Setting } from "./translation.ts";

const first = ["provider", "count", "for_each"];

/** Puts what Terraform itself reads of a resource around what was translated. */
export function withMeta({ body }: Block, translated: Obj, setting: Setting): Obj {
  const out = new Obj();
  const { source } = setting;
  const put = (name: string): void => {
    const attribute = attributeOf(body, name);
    if (attribute === undefined) return;
    const value = new Expr(source, attribute.value);
    out.set(name, value.raw, attribute);
    if (name === "depends_on") withoutDropped(value, name, out, setting);
  };
  first.forEach(put);
  for (const [name, { value, before, after }] of translated.entries) out.set(name, value, { before, after });
  put("depends_on");
  for (const item of body.items) if (item.kind === "block") addBlock(item, out, setting);
  out.tail.push(...translated.tail);
  return out;
}

/** What is gone cannot be waited for, nor trigger anything. */
function withoutDropped(value: Expr, name: string, out: Obj, { isDropped }: Setting): void {
  const items = value.items?.filter(({ text }) => !isDropped(text));
  if (items === undefined || items.length === value.items?.length) return;
  const known = out.entries.get(name);
  if (items.length === 0) out.entries.delete(name);
  else
    out.set(
      name,
      items.map(({ raw }) => raw),
      known,
    );
}

function addBlock(item: Item & { kind: "block" }, out: Obj, setting: Setting): void {
  const { source } = setting;
  const comments = item.before.map((comment) => `  ${comment}\n`).join("");
  if (item.type === "lifecycle") {
    const text = lifecycle(item, setting);
    if (text !== "") out.blocks.push(`${comments}  lifecycle {\n${text}\n  }`);
  } else if (item.type === "provisioner" || item.type === "connection") {
    const text = applyEdits(source.document.text, source.edits, item.node.start, item.node.end);
    out.blocks.push(`${comments}  ${text}`);
  }
}

/** `ignore_changes` names arguments, which have other names here. */
function lifecycle(block: Block, setting: Setting): string {
  const out = new Obj();
  const { source } = setting;
  for (const item of block.body.items) {
    if (item.kind === "attribute" && item.name === "ignore_changes") ignored(item, out, setting);
    else if (item.kind === "attribute") {
      const value = new Expr(source, item.value);
      out.set(item.name, value.raw, item);
      withoutDropped(value, item.name, out, setting);
    } else out.blocks.push(`    ${applyEdits(source.document.text, source.edits, item.node.start, item.node.end)}`);
  }
  out.tail.push(...block.body.tail);
  if (out.isEmpty) return "";
  return printBody(out, "    ");
}

function ignored(item: Item & { kind: "attribute" }, out: Obj, setting: Setting): void {
  const { source, notes, address } = setting;
  const value = new Expr(source, item.value);
  if (value.items === undefined) {
    out.set(item.name, value.raw, item);
    return;
  }
  const names = new Set<string>();
  for (const one of value.items) {
    const path = (one.string ?? one.text).replaceAll(/\[[^\]]*\]/g, "");
    const places = placesOf(path, setting);
    for (const place of places) names.add(place);
    if (places.length > 0) continue;
    const todo = "not needed in `ignore_changes`: what is not given is not changed";
    out.tail.push(notes.add("left", one.node.line, `${address}: ${path}`, todo));
  }
  if (names.size > 0)
    out.set(
      item.name,
      [...names].map((name) => new Raw(name)),
      item,
    );
}

/** The arguments here that hold one of theirs. A guest that was moved is followed, so its node may change. */
function placesOf(path: string, { entry, shape }: Setting): string[] {
  if (path === "node_name" || path === "target_node") return [];
  const rows = { ...entry.rows, ...Object.fromEntries(Object.entries(shape.rows ?? {}).map(([a, b]) => [a, `=${b}`])) };
  const own = Object.entries(rows).filter(([name]) => name === path || name.startsWith(`${path}.`));
  const exact = rows[path];
  const targets = exact?.startsWith("=") ? [exact] : own.map(([, row]) => row);
  const maps = new Set(Object.values(shape.families ?? {}).map(({ into }) => into.split(".")[0] ?? ""));
  maps.add("disks");
  const places = targets
    .filter((row) => row.startsWith("=") && !row.startsWith("=proxmox_"))
    .map((row) => row.slice(1).split("."))
    .map((parts) => (maps.has(parts[0] ?? "") || own.length > 1 ? (parts[0] ?? "") : parts.join(".")));
  return [...new Set(places)];
}
