import { type AddressUses, addressUsesIn } from "./address-uses.ts";
import { attributeOf, type Block, blocksOf, type Document } from "./hcl/document.ts";
import { Expr } from "./hcl/expr.ts";
import { Notes } from "./notes.ts";
import type { Declared } from "./references.ts";
import type { Shape } from "./shape.ts";
import { shapeOf } from "./shapes.ts";
import { type Entry, entryOf, type Kind, type Peer, peerOfType, sources } from "./tables.ts";
import { Translation } from "./translation.ts";

/** A resource or data source of another provider. */
export interface Foreign {
  readonly kind: Kind;
  readonly type: string;
  readonly name: string;
  readonly block: Block;
  readonly document: Document;
  readonly entry: Entry;
  readonly shape: Shape;
  /** Its address here, or why it stays with its provider. */
  readonly address: string | null;
  readonly reason: string;
}

const identifier = /^[\p{ID_Start}_][\p{ID_Continue}-]*$/u;

/** The files of one folder, which Terraform reads as one. */
export class Module {
  readonly documents: ReadonlyMap<string, Document>;
  /** Whose configuration a local name of a provider is; null: ours, or any other. */
  readonly locals = new Map<string, Peer | null>();
  readonly foreign = new Map<string, Foreign>();
  readonly #nullable = new Set<string>();
  readonly #empty = new Map<string, "text" | "number">();
  readonly #addresses = new Set<string>();
  #addressUses: AddressUses | undefined;

  constructor(documents: ReadonlyMap<string, Document>) {
    this.documents = documents;
    for (const document of documents.values()) {
      for (const [name, source] of requiredSources(document)) this.locals.set(name, peerOfSource(source));
      this.#collectDefaults(document);
    }
  }

  /** The provider whose types a folder uses that only one of them has. */
  get likelyPeer(): Peer | null {
    for (const peer of this.locals.values()) if (peer !== null) return peer;
    for (const { kind, type } of this.#proxmoxBlocks()) {
      const peer = peerOfType(kind, type);
      if (peer !== null) return peer;
    }
    return null;
  }

  get isForeign(): boolean {
    return this.foreign.size > 0 || [...this.locals.values()].some((peer) => peer !== null);
  }

  /** Whose settings a `provider` block holds. */
  peerOfLocal(local: string): Peer | null {
    return this.locals.get(local) ?? (local === "proxmox" && !this.locals.has(local) ? this.likelyPeer : null);
  }

  /** Whether a folder has settings of a provider. */
  configures(peer: Peer): boolean {
    const blocks = [...this.documents.values()].flatMap(({ body }) => blocksOf(body, "provider"));
    return blocks.some(({ labels: [local = ""] }) => this.peerOfLocal(local) === peer);
  }

  /** `otherwise`: the provider of the whole configuration. */
  collect(otherwise: Peer | null): void {
    const likely = this.likelyPeer ?? otherwise;
    const old = new Set([...this.#proxmoxBlocks()].map(({ type, name }) => `${type}.${name}`));
    for (const { kind, type, name, block, document } of this.#proxmoxBlocks()) {
      const peer = this.#peerOf(kind, type, block, document, likely);
      const found = peer && entryOf(peer, kind, type);
      if (!found || !identifier.test(name)) continue;
      const { entry, shape, reason } = roleOf(found, block, document);
      const address = entry.target === null || reason ? null : this.#addressOf(kind, entry, type, name, old);
      const key = `${kind === "data" ? "data." : ""}${type}.${name}`;
      this.foreign.set(key, { kind, type, name, block, document, entry, shape, address, reason: reason ?? "" });
    }
  }

  /**
   * Types that are one type here may have resources of the same name. And a resource cannot take over the address of another
   * provider's resource of the same type.
   */
  #addressOf(
    kind: Kind,
    { target, objects: [object] }: Entry,
    type: string,
    name: string,
    old: ReadonlySet<string>,
  ): string {
    const isTaken = (address: string) => this.#addresses.has(address) || (kind === "resource" && old.has(address));
    const prefix = `${kind === "data" ? "data." : ""}${target}.`;
    const own = kind === "resource" && target === type ? `${name}_new` : name;
    const names = [own, ...(object && /^\w+$/.test(object) ? [`${own}_${object}`] : [])];
    for (let number = 2; names.every((one) => isTaken(prefix + one)); number++) names.push(`${own}_${number}`);
    const chosen = names.find((one) => !isTaken(prefix + one)) ?? own;
    this.#addresses.add(prefix + chosen);
    return `${target}.${chosen}`;
  }

  declared(key: string): Declared | undefined {
    const found = this.foreign.get(key);
    return found?.address ? { ...found, address: found.address } : undefined;
  }

  /** Whether a block is one of the other provider, which is translated as a whole. */
  translates(block: Block): boolean {
    return [...this.foreign.values()].some((one) => one.block === block);
  }

  isDropped(text: string): boolean {
    const found = this.foreign.get(/^(?:data\.)?[\w-]+\.[\w-]+/.exec(text.trim())?.[0] ?? "");
    return found?.shape.isDropped === true;
  }

  mayBeNull(text: string): boolean {
    if (/\bnull\b/.test(text)) return true;
    const last = /(\w+)(?:\[[^\]]*\])?$/.exec(text)?.[1] ?? "";
    return /^[\w.[\]"]+$/.test(text) && this.#nullable.has(last);
  }

  emptyOf(text: string): "text" | "number" | undefined {
    const [, variable, member] = /^(?:var\.(\w+)|[\w.]+\.(\w+))$/.exec(text) ?? [];
    return this.#empty.get(variable === undefined ? `.${member}` : variable);
  }

  usesAddressOf(address: string): boolean {
    this.#addressUses ??= addressUsesIn([...this.documents.values()].map(({ text }) => text));
    const { isAny, isSelf, looped, direct } = this.#addressUses;
    return isAny && (isSelf || looped.has(address) || direct.has(address));
  }

  *#proxmoxBlocks() {
    for (const document of this.documents.values()) {
      for (const kind of ["resource", "data"] as const) {
        for (const block of blocksOf(document.body, kind)) {
          const [type = "", name = ""] = block.labels;
          if (type.startsWith("proxmox_")) yield { kind, type, name, block, document };
        }
      }
    }
  }

  #peerOf(kind: Kind, type: string, block: Block, document: Document, likely: Peer | null): Peer | null {
    const meta = attributeOf(block.body, "provider");
    const local = meta ? (document.slice(meta.value).split(".")[0] ?? "") : "proxmox";
    const known = this.locals.get(local);
    return known === undefined ? (peerOfType(kind, type) ?? likely) : known;
  }

  /** `optional(string)` in the type of a variable, variables that are null by default, and those that are empty. */
  #collectDefaults({ text, body }: Document): void {
    for (const [, name = ""] of text.matchAll(/\b(\w+)\s*=\s*optional\((?:[^(),]|\([^()]*\))*(?:,\s*null\s*)?\)/g))
      this.#nullable.add(name);
    for (const [, name = "", value] of text.matchAll(/\b(\w+)\s*=\s*optional\(\w+,\s*(""|0|-\d+)\s*\)/g))
      this.#empty.set(`.${name}`, value === '""' ? "text" : "number");
    for (const { labels, body: inner } of blocksOf(body, "variable")) {
      const value = attributeOf(inner, "default");
      const given = value && text.slice(value.value.start, value.value.end).trim();
      const [name = ""] = labels;
      if (given === "null") this.#nullable.add(name);
      if (given === '""') this.#empty.set(name, "text");
      if (given !== undefined && /^(0|-\d+)$/.test(given)) this.#empty.set(name, "number");
    }
  }
}

/** What an object is here: of the type that its own type says, of another one, or none. */
function roleOf(entry: Entry, block: Block, document: Document) {
  const shape = shapeOf(entry);
  const source = { document, edits: [] };
  const setting = {
    source,
    entry,
    shape,
    notes: new Notes(""),
    around: { mayBeNull: () => false },
    address: "",
    isDropped: () => false,
  };
  const translation = new Translation(setting, block.body);
  const reason = entry.target === null ? entry.reason : shape.stays?.(translation);
  const variant = reason ? undefined : shape.instead?.(translation);
  if (variant === undefined) return { entry, shape, reason };
  const { target, rows } = variant;
  return { entry: { ...entry, target, rows: { ...entry.rows, ...rows } }, shape: variant.shape, reason };
}

/** Also from a mirror: `registry.example.com/bpg/proxmox`. */
export const peerOfSource = (source: string): Peer | null => {
  const plain = source.toLowerCase().split("/").slice(-2).join("/");
  return (Object.keys(sources) as Peer[]).find((peer) => sources[peer] === plain) ?? null;
};

/** The blocks that name providers, with their entries. */
export function* requiredBlocks(document: Document): Generator<Block> {
  for (const terraform of blocksOf(document.body, "terraform")) yield* blocksOf(terraform.body, "required_providers");
}

function* requiredSources(document: Document): Generator<[name: string, source: string]> {
  for (const { body } of requiredBlocks(document)) {
    for (const item of body.items) {
      if (item.kind !== "attribute") continue;
      const value = new Expr({ document, edits: [] }, item.value);
      const source = value.members?.find(([name]) => name === "source")?.[1].string;
      if (source !== undefined) yield [item.name, source];
    }
  }
}
