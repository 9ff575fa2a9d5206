import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { alternatives } from "#kit";
import { UsageError } from "../../run-command.ts";
import { blocksOf, Document } from "../../translate/hcl/document.ts";
import { Expr } from "../../translate/hcl/expr.ts";
import { SyntaxProblem } from "../../translate/hcl/syntax.ts";
import { fieldsOf, listOf } from "./api-method.ts";
import { resourceTypes } from "./calls-by-type.ts";

/** Attributes that are written, each with its plain texts, by resource type. `location.**` is all of `location`. */
export type Selection = ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>;

type Draft = Map<string, Map<string, Set<string>>>;

/** What the arguments name: types, attributes of types, folders with a configuration, files of one, states. None: every type. */
export async function selectionOf(given: readonly string[]): Promise<Selection> {
  const found: Draft = new Map(given.length === 0 ? resourceTypes.map((type) => [type, new Map()]) : []);
  for (const one of given) {
    if (one.startsWith("proxmox_")) addName(found, one);
    else await addFiles(found, one);
  }
  if (found.size === 0)
    throw new UsageError("Nothing to compare: there is no resource of this provider in the arguments.");
  return found;
}

function addName(found: Draft, name: string): void {
  const [type = "", ...path] = name.split(".");
  if (!resourceTypes.includes(type)) throw new UsageError(`${type} is unknown. ${alternatives(type, resourceTypes)}`);
  const written = typeIn(found, type);
  if (path.length > 0) written.set(`${path.join(".")}.**`, new Set());
}

function typeIn(found: Draft, type: string): Map<string, Set<string>> {
  const written = found.get(type) ?? new Map<string, Set<string>>();
  found.set(type, written);
  return written;
}

const isConfiguration = (name: string): boolean => /\.(?:tf|tofu)$/.test(name);

async function addFiles(found: Draft, path: string): Promise<void> {
  if (!existsSync(path))
    throw new UsageError(`'${path}' is neither a resource type nor a folder with a configuration nor a state.`);
  if (!statSync(path).isDirectory()) return addFile(found, path, readFileSync(path, "utf8"));
  const folders = [path, ...readdirSync(path, { recursive: true, withFileTypes: true }).flatMap(folderOf)];
  for (const folder of folders) {
    for (const name of readdirSync(folder).filter(isConfiguration)) {
      const file = join(folder, name);
      await addFile(found, file, readFileSync(file, "utf8"));
    }
  }
}

/** Modules of others, which `init` has copied, count: they are applied too. */
const folderOf = (entry: { isDirectory(): boolean; parentPath: string; name: string }): string[] =>
  entry.isDirectory() && entry.name !== ".git" && entry.name !== "node_modules"
    ? [join(entry.parentPath, entry.name)]
    : [];

async function addFile(found: Draft, file: string, text: string): Promise<void> {
  if (!isConfiguration(file)) return addState(found, file, text);
  try {
    const document = await Document.parse(text);
    for (const { labels, body } of blocksOf(document.body, "resource")) {
      const [type = ""] = labels;
      if (!resourceTypes.includes(type)) continue;
      for (const item of body.items) {
        if (item.kind === "attribute")
          addValue(typeIn(found, type), item.name, new Expr({ document, edits: [] }, item.value));
      }
      typeIn(found, type);
    }
  } catch (thrown) {
    if (!(thrown instanceof SyntaxProblem)) throw thrown;
    throw new UsageError(`${file} cannot be read: line ${thrown.line}: ${thrown.message}.`);
  }
}

/** An object that is written out, member by member; of any other expression, only that it is there. */
function addValue(written: Map<string, Set<string>>, path: string, expr: Expr): void {
  if (expr.isNull) return;
  const { members, string } = expr;
  const texts = written.get(path) ?? new Set();
  written.set(path, string === undefined ? texts : texts.add(string));
  for (const [name, value] of members ?? []) addValue(written, `${path}.${name}`, value);
}

/** A state has computed values too, so only its types count. */
function addState(found: Draft, file: string, text: string): void {
  let state: unknown;
  try {
    state = JSON.parse(text);
  } catch {
    throw new UsageError(`${file} is neither a configuration (.tf) nor a state.`);
  }
  for (const resource of listOf(fieldsOf(state)["resources"]).map(fieldsOf)) {
    const type = String(resource["type"]);
    if (resource["mode"] === "managed" && resourceTypes.includes(type)) typeIn(found, type);
  }
}
