import { asText, count, flag, same } from "./conversions.ts";
import { attributeOf, type Block, type Body, blocksOf, type Document } from "./hcl/document.ts";
import { applyEdits, type Edit } from "./hcl/edits.ts";
import { inReshapedList } from "./reshaped-lists.ts";
import type { Shape } from "./shape.ts";
import type { Entry } from "./tables.ts";
import { loopsIn, type Step, type Traversal, traversalsIn } from "./traversal.ts";

/** An object of a configuration that is translated. */
export interface Declared {
  readonly entry: Entry;
  readonly shape: Shape;
  /** Its address here, without `data.`: `proxmox_vm.web`. */
  readonly address: string;
  readonly block: Block;
  readonly document: Document;
}

/** Finds the object that an address of the old configuration names; `self` has an empty one. */
export type Lookup = (address: string, place: number) => Declared | undefined;

/** Whether that address names an object that is left out here. */
export type IsGone = (address: string, place: number) => boolean;

export interface Rewritten {
  readonly edits: readonly Edit[];
  readonly problems: readonly Problem[];
}

export interface Problem {
  readonly place: number;
  readonly line: number;
  readonly what: string;
  readonly todo: string;
}

/** The edits that make references of a document point to what is here. */
export function rewriteReferences(document: Document, lookup: Lookup, isGone: IsGone): Rewritten {
  const problems: Problem[] = [];
  const edits: Edit[] = [];
  const loops = loopsIn(document, document.root).flatMap((loop) => {
    const declared = elementOf(document.slice(loop.collection), loop.start, lookup);
    return declared === undefined ? [] : [{ ...loop, declared }];
  });
  const inLoop = (name: string, place: number) =>
    loops.findLast((loop) => loop.name === name && loop.start <= place && place < loop.end)?.declared;
  // Inner ones first: an index of a reference may contain another.
  for (const traversal of traversalsIn(document, document.root).reverse()) {
    const edit = rewrite(document, traversal, { lookup, isGone, inLoop }, edits, problems);
    if (edit !== undefined) edits.push(edit);
  }
  return { edits: [...unlessFailing(document, edits, problems), ...edits], problems };
}

/** A null where a member was makes an expression around it fail: then the output or the local value is null as a whole. */
function unlessFailing({ body, text }: Document, edits: readonly Edit[], problems: readonly Problem[]): Edit[] {
  const outputs = blocksOf(body, "output").map(({ body: inner }) => attributeOf(inner, "value"));
  const locals = blocksOf(body, "locals").flatMap(({ body: inner }) => inner.items);
  return [...outputs, ...locals].flatMap((item) => {
    const value = item?.kind === "attribute" ? item.value : undefined;
    if (value === undefined || !problems.some(({ place }) => value.start <= place && place < value.end)) return [];
    const { start, end } = value;
    const shown = applyEdits(text, edits, start, end);
    const rest = shown.replaceAll(/(^|[{,\n]\s*[\w"-]+\s*[=:]\s*)null\s*(?=[,}\n]|$)/g, "$1");
    return /\bnull\b/.test(rest) ? [{ start, end, text: `try(${shown}, null)` }] : [];
  });
}

/** A collection whose elements are instances of a resource: `T.n`, `values(T.n)`, `T.n[*]`. */
function elementOf(collection: string, place: number, lookup: Lookup): Declared | undefined {
  const [, inner, plain] = /^(?:values\(\s*([\w.-]+)\s*\)|([\w.-]+?)(?:\[\*\]|\.\*)?)$/.exec(collection.trim()) ?? [];
  const address = inner ?? plain ?? "";
  return /^(data\.)?proxmox_\w+\.[\w-]+$/.test(address) ? lookup(address, place) : undefined;
}

interface Scope {
  readonly lookup: Lookup;
  readonly isGone: IsGone;
  /** What a variable of a `for` expression stands for. */
  inLoop(name: string, place: number): Declared | undefined;
}

function rewrite(
  document: Document,
  traversal: Traversal,
  { lookup, isGone, inLoop }: Scope,
  edits: readonly Edit[],
  problems: Problem[],
): Edit | undefined {
  const { root, steps, start } = traversal;
  const isData = root === "data";
  const [type, rest] = isData ? [nameOf(steps[0]), steps.slice(1)] : [root, steps];
  const element = steps[0]?.kind === "name" ? inLoop(root, start) : undefined;
  const isSelf = root === "self" || element !== undefined;
  const name = isSelf ? undefined : nameOf(rest[0]);
  if (!isSelf && (type === undefined || name === undefined || !type.startsWith("proxmox_"))) return undefined;
  const key = isSelf ? "" : `${isData ? "data." : ""}${type}.${name}`;
  const declared = element ?? lookup(key, start);
  const end = steps.at(-1)?.end ?? start + root.length;
  if (declared === undefined) {
    if (!isGone(key, start)) return undefined;
    const todo = `\`${key}\` is left out, so this is null here`;
    problems.push({ place: start, line: traversal.line, what: document.text.slice(start, end), todo });
    return { start, end, text: "null" };
  }
  const own = isSelf ? rest : rest.slice(1);
  const isInstance = !isSelf && own[0] !== undefined && own[0].kind !== "name";
  const path = isInstance ? own.slice(1) : own;
  const from = (isInstance ? own[0] : isSelf ? undefined : rest[0])?.end ?? start + root.length;
  const instance = isInstance ? applyEdits(document.text, edits, rest[0]?.end ?? from, from) : "";
  const head = isSelf ? root : `${isData ? "data." : ""}${declared.address}${instance.replace(/^\.\*$/, "[*]")}`;
  if (path.length === 0) return { start, end, text: head };
  const old = textOf(document, path, edits);
  const place = placeOf(declared, old, path);
  const text =
    place === undefined ? (inList(declared, head, path, old) ?? constantOf(declared, head, path)) : `${head}.${place}`;
  if (text !== undefined) return { start, end, text: isData && isRepeated(document, start, end) ? asSet(text) : text };
  const shown = `${isData ? "data." : ""}${isSelf ? root : `${type}.${name}`}.${old}`;
  const isShown = blocksOf(document.body, "output").some(({ node }) => node.start <= start && end <= node.end);
  const todo = `no counterpart in the same form${isShown ? ", so it is null here" : ""}; see the attributes of \`${declared.entry.target}\``;
  problems.push({ place: start, line: traversal.line, what: shown, todo });
  return { start, end, text: isShown ? "null" : `${head}${applyEdits(document.text, edits, from, end)}` };
}

const asSet = (list: string): string => `toset(${list.includes("[*]") ? `compact(${list})` : list})`;

/** Whether an expression is the whole `for_each`, which takes no lists: what was a set may be a list here. */
const isRepeated = ({ body }: Document, start: number, end: number): boolean =>
  body.items.some((item) => {
    const value = item.kind === "block" ? attributeOf(item.body, "for_each")?.value : undefined;
    return value?.start === start && value.end === end;
  });

/** What the configuration itself gives for an argument that does not exist here, if it means the same anywhere. */
function constantOf({ block, document }: Declared, head: string, steps: readonly Step[]): string | undefined {
  const isFirst = (step: Step, index: number) =>
    step.kind === "name" || (step.kind === "index" && step.literal === "0" && index < steps.length - 1);
  const names = steps.flatMap((step) => (step.kind === "name" ? [step.name] : []));
  const last = names.pop() ?? "";
  if (!steps.every(isFirst) || head.includes("[*]")) return undefined;
  const body = names.reduce<Body | undefined>((outer, name) => {
    const [inner, ...more] = outer === undefined ? [] : blocksOf(outer, name);
    return more.length === 0 ? inner?.body : undefined;
  }, block.body);
  const given = body && attributeOf(body, last);
  const text = given && document.slice(given.value);
  const isConstant = text !== undefined && /^((var|local)\.[\w.-]+|"[^"$%\\]*"|-?[\d.]+|true|false)$/.test(text);
  return isConstant ? text : undefined;
}

const nameOf = (step: Step | undefined): string | undefined => (step?.kind === "name" ? step.name : undefined);

/** `ipv4_addresses[1][0]`, in one form of several. */
function textOf(document: Document, steps: readonly Step[], edits: readonly Edit[]): string {
  return steps
    .map((step, index) => {
      if (step.kind === "name") return `${index === 0 ? "" : "."}${step.name}`;
      if (step.kind === "splat") return "[*]";
      const inner = step.node.children[0];
      return `[${step.literal ?? (inner ? applyEdits(document.text, edits, inner.start, inner.end) : "")}]`;
    })
    .join("");
}

const unchanged = new Set([undefined, same, count, asText, flag]);

/** Where a part of an object is here; undefined: nowhere, or in another form. */
function placeOf({ entry, shape }: Declared, path: string, steps: readonly Step[]): string | undefined {
  for (const [pattern, text] of shape.references ?? []) if (pattern.test(path)) return path.replace(pattern, text);
  if (path === "id" && entry.kind === "resource" && shape.id !== undefined) return shape.id;
  const names = steps.map((step) => (step.kind === "name" ? step.name : undefined));
  if (Object.hasOwn(shape.lists ?? {}, names[0] ?? "")) return undefined;
  const plain = names.filter((name) => name !== undefined).join(".");
  if (entry.kind === "data") return inData(entry, plain, path, names.length);
  const row = shape.rows?.[plain] ?? entry.rows[plain]?.slice(1);
  const isHere = shape.rows?.[plain] !== undefined || entry.rows[plain]?.startsWith("=");
  const families = Object.keys(shape.families ?? {});
  const isRepeated = families.some((family) => plain === family || plain.startsWith(`${family}.`));
  if (row === undefined || !isHere || isRepeated || row.startsWith("proxmox_")) return undefined;
  if (!unchanged.has(shape.conversions?.[plain]) || shape.handlers?.[plain] !== undefined) return undefined;
  // `cpu[0].cores`: a block of which there is one is an object here.
  const isPlain = steps.every(
    (step, index) =>
      step.kind === "name" || (step.kind === "index" && step.literal === "0" && index < steps.length - 1),
  );
  if (isPlain) return row;
  const [first, ...more] = steps;
  return first?.kind === "name" && more.every(({ kind }) => kind !== "name")
    ? `${row}${path.slice(first.name.length)}`
    : undefined;
}

function inList({ entry, shape }: Declared, head: string, steps: readonly Step[], text: string): string | undefined {
  const { rows = {}, families = {}, conversions = {}, lists = {} } = shape;
  const [first] = steps;
  const list = first?.kind === "name" && !head.includes("[*]") ? lists[first.name] : undefined;
  if (list !== undefined) return `${list(head)}${text.slice(/^\w*/.exec(text)?.[0].length ?? 0)}`;
  const isConverted = (path: string) => !unchanged.has(conversions[path]);
  return inReshapedList({ entry, rows, families, isConverted }, head, steps, text);
}

/** Data sources of theirs that have one object, which is in a list here. */
const single =
  /^(role|group|user|pool|acme_plugin|replication|file|sdn_(?!zones$|vnets$)\w+|hardware_mapping_\w+|haresource)$/;

function inData(entry: Entry, plain: string, path: string, length: number): string | undefined {
  const isList = entry.name === "nodes" && plain === "online";
  const row = isList ? "=nodes.online" : entry.rows[plain];
  if (plain === "id" && entry.name === "file") return "files[0].volume_id";
  // Their objects have members of other names.
  if (/^(vms|containers|datastores)\b/.test(plain)) return undefined;
  if (row === undefined || row.startsWith("-") || row.startsWith("=proxmox_")) return undefined;
  const target = row.slice(1);
  const [list] = entry.objects;
  const [first = "", inner = ""] = plain.split(".");
  const isElement = path.startsWith(`${first}[`) && path.endsWith(`.${inner}`) && target.split(".").length === 2;
  if (isElement) return path.replace(first, target.split(".")[0] ?? "").replace(/\w+$/, target.split(".")[1] ?? "");
  if (list !== undefined && target.startsWith(`${list}.`)) {
    const inner = target.slice(list.length + 1);
    if (entry.isObject) return `${target}${path.slice(plain.length)}`;
    if (single.test(entry.name)) return length === plain.split(".").length ? `${list}[0].${inner}` : undefined;
    // `cpu_count[0]`: the element of a list of numbers is a member of an object here.
    return path === plain || path.endsWith("[*]")
      ? `${list}[*].${inner}`
      : `${list}${path.slice(plain.length)}.${inner}`;
  }
  return `${target}${path.slice(plain.length)}`;
}
