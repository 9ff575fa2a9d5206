import { dirname } from "node:path/posix";
import { attributeOf, type Block, Document } from "./hcl/document.ts";
import { applyEdits, type Edit } from "./hcl/edits.ts";
import { Expr, type Source } from "./hcl/expr.ts";
import { SyntaxProblem } from "./hcl/syntax.ts";
import { Module } from "./module.ts";
import { type Note, Notes } from "./notes.ts";
import { OldProviders } from "./old-providers.ts";
import { oldName, providerEdits, requiredEdits, requirementsFile } from "./providers.ts";
import { type Declared, rewriteReferences } from "./references.ts";
import { forgotten, translated } from "./resource-block.ts";
import { type Peer, sources } from "./tables.ts";

/** A file that is no HCL. */
export class UnreadableFile extends Error {}

export interface TranslatedFolder {
  /** Texts by path, of configuration files only. */
  readonly files: ReadonlyMap<string, string>;
  readonly notes: readonly Note[];
  readonly counts: Counts;
}

export interface Counts {
  readonly files: number;
  /** Resources and data sources of the other providers. */
  readonly objects: number;
  readonly translated: number;
  /** Translated, and nothing of them has to be done by hand. */
  readonly complete: number;
  /** They stay with their provider. */
  readonly stay: number;
  readonly peers: readonly Peer[];
}

/** Translates configuration files, by path from the top of the configuration. */
export async function translateFolder(
  texts: ReadonlyMap<string, string>,
  progress: (line: string) => void = () => undefined,
): Promise<TranslatedFolder> {
  const documents = new Map<string, Document>();
  for (const [path, text] of texts) documents.set(path, await read(path, text));
  const modules = [...Map.groupBy(documents, ([path]) => dirname(path)).values()].map(
    (files) => new Module(new Map(files)),
  );
  const [main] = modules.map(({ likelyPeer }) => likelyPeer).filter((peer) => peer !== null);
  for (const module of modules) module.collect(main ?? null);
  const old = new OldProviders(modules);
  const files = new Map<string, string>();
  const notes: Note[] = [];
  for (const module of modules) {
    progress(`Translating ${[...module.documents.keys()].join(", ")}`);
    for (const [path, document] of module.documents) {
      const own = new Notes(path);
      files.set(path, module.isForeign ? translateFile(document, module, old, own) : document.text);
      notes.push(...own.all);
    }
    addRequirements(module, old, files);
  }
  return { files, notes, counts: countsOf(modules, notes, texts.size) };
}

async function read(path: string, text: string): Promise<Document> {
  try {
    return await Document.parse(text);
  } catch (thrown) {
    if (!(thrown instanceof SyntaxProblem)) throw thrown;
    throw new UnreadableFile(`${path}:${thrown.line}: this is not valid HCL: ${thrown.message}.`);
  }
}

/** A folder with resources and without requirements gets them in a file of their own. */
function addRequirements(module: Module, old: OldProviders, files: Map<string, string>): void {
  const own = new Set([...module.foreign.values()].map(({ entry }) => entry.peer));
  const peers = (Object.keys(sources) as Peer[]).filter((peer) => own.has(peer) || old.isRequired(peer, module));
  const isNamed = [...module.locals.values()].some((peer) => peer !== null);
  const [first = ""] = module.documents.keys();
  if (peers.length === 0 || isNamed) return;
  const folder = dirname(first);
  for (let number = 1; ; number++) {
    const name = `proxmox_providers${number === 1 ? "" : `_${number}`}.tf`;
    const path = folder === "." ? name : `${folder}/${name}`;
    if (files.has(path) || module.documents.has(path)) continue;
    files.set(path, requirementsFile(peers, module));
    return;
  }
}

const kept = new Set(["moved", "removed"]);

function translateFile(document: Document, module: Module, old: OldProviders, notes: Notes): string {
  const blocks = document.body.items.filter((item): item is Block => item.kind === "block");
  const blockAt = (place: number) => blocks.find(({ node }) => node.start <= place && place < node.end);
  const lookup = (address: string, place: number): Declared | undefined => {
    const block = blockAt(place);
    if (block === undefined || kept.has(block.type)) return undefined;
    if (address !== "") return module.declared(address);
    return block.type === "resource" ? module.declared(block.labels.join(".")) : undefined;
  };
  const isGone = (address: string, place: number): boolean => {
    const block = blockAt(place);
    const waits = block && attributeOf(block.body, "depends_on")?.value;
    if (block === undefined || kept.has(block.type) || module.translates(block)) return false;
    return !(waits && waits.start <= place && place < waits.end) && module.isDropped(address);
  };
  const { edits: references, problems } = rewriteReferences(document, lookup, isGone);
  const edits: Edit[] = [
    ...withoutDropped({ document, edits: references }, blocks, module),
    ...references,
    ...requiredEdits(document, module, old),
    ...providerEdits(document, module, (peer) => old.stayAnywhere(peer), notes),
    ...old.passingEdits(document, module),
  ];
  const remarks = new Map<Block, string[]>();
  for (const { place, line, what, todo } of problems) {
    const block = blockAt(place);
    const comment = notes.add("hand", line, what, todo);
    if (block) remarks.set(block, [...new Set([...(remarks.get(block) ?? []), comment])]);
  }
  for (const block of blocks) {
    const { start, end } = block.node;
    const comments = (remarks.get(block) ?? []).map((comment) => `${comment}\n`).join("");
    const text = translateBlock(block, document, references, module, notes);
    if (text !== undefined) edits.push({ start, end, text: `${comments}${text}` });
    else if (comments !== "") edits.push({ start, end: start, text: comments });
  }
  return applyEdits(document.text, edits);
}

/** What waits for something that is gone waits for the rest. */
function withoutDropped(source: Source, blocks: readonly Block[], module: Module): Edit[] {
  return blocks.flatMap(({ body }) => {
    const attribute = attributeOf(body, "depends_on");
    const items = attribute && new Expr(source, attribute.value).items;
    const left = items?.filter(({ node }) => !module.isDropped(source.document.slice(node))) ?? [];
    if (attribute === undefined || items === undefined || left.length === items.length) return [];
    const { start, end } = attribute.value;
    return [{ start, end, text: `[${left.map(({ text }) => text).join(", ")}]` }];
  });
}

/** Undefined: only references within it change. */
function translateBlock(
  block: Block,
  document: Document,
  edits: readonly Edit[],
  module: Module,
  notes: Notes,
): string | undefined {
  if (block.type === "import") {
    const isOurs = /\bto\s*=\s*proxmox_/.test(document.slice(block.node));
    if (isOurs)
      notes.add("hand", block.node.line, "import", "its `id` has another form here; see the page of the resource");
    return undefined;
  }
  if (block.type !== "resource" && block.type !== "data") return undefined;
  const foreign = module.foreign.get(`${block.type === "data" ? "data." : ""}${block.labels.join(".")}`);
  if (foreign?.block !== block) return undefined;
  if (foreign.address !== null) return translated(foreign, { document, edits, notes, module });
  const { entry, reason, type, name, shape } = foreign;
  if (shape.isDropped) {
    const gone = notes.add("left", block.node.line, `${type}.${name}`, reason);
    return block.type === "data" ? gone : `${gone}\n${forgotten(`${type}.${name}`)}`;
  }
  const comment = notes.add("hand", block.node.line, `${type}.${name}: stays with ${entry.peer}`, reason);
  const brace = block.node.children.find(({ type: kind }) => kind === "block_start")?.end ?? block.node.end;
  const given = attributeOf(block.body, "provider")?.value;
  const own = oldName(entry.peer, module);
  const named = given && { ...given, text: [own, ...document.slice(given).split(".").slice(1)].join(".") };
  const text = applyEdits(document.text, named ? [...edits, named] : edits, brace, block.node.end);
  const head = document.text.slice(block.node.start, brace);
  const provider = named ? "" : `\n  provider = ${own}\n`;
  return `${comment}\n${head}${provider}${text}`;
}

function countsOf(modules: readonly Module[], notes: readonly Note[], files: number): Counts {
  const all = modules.flatMap(({ foreign, documents }) =>
    [...foreign].map(([key, one]) => ({ key, ...one, files: [...documents.keys()] })),
  );
  const isByHand = ({ key, files: own }: { key: string; files: string[] }) =>
    notes.some(
      ({ level, what, file }) => level === "hand" && own.includes(file) && (what === key || what.startsWith(`${key}:`)),
    );
  const done = all.filter(({ address, shape }) => address !== null || shape.isDropped);
  return {
    files,
    objects: all.length,
    translated: done.length,
    complete: done.filter((one) => !isByHand(one)).length,
    stay: all.length - done.length,
    peers: [...new Set(all.map(({ entry }) => entry.peer))],
  };
}
