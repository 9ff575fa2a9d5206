import { dirname, join } from "node:path/posix";
import { attributeOf, type Block, blocksOf, type Document } from "./hcl/document.ts";
import type { Edit } from "./hcl/edits.ts";
import { Expr } from "./hcl/expr.ts";
import type { Foreign, Module } from "./module.ts";
import { oldName } from "./providers.ts";
import { isMovable, type Peer } from "./tables.ts";

/** Which folders need another provider: for what they hold, for its settings, and for the modules that they call. */
export class OldProviders {
  readonly #modules: ReadonlyMap<string, Module>;

  constructor(modules: readonly Module[]) {
    this.#modules = new Map(modules.map((module) => [folderOf(module), module]));
  }

  /** Whether a folder, or a module that it calls, has objects that stay with a provider. */
  stay(peer: Peer, module: Module, seen: ReadonlySet<Module> = new Set()): boolean {
    if (seen.has(module)) return false;
    const among = new Set([...seen, module]);
    return (
      [...module.foreign.values()].some((one) => one.entry.peer === peer && staysOrGoes(one)) ||
      this.#calls(module).some(([, called]) => this.stay(peer, called, among))
    );
  }

  /** Whether any folder has such objects. */
  stayAnywhere(peer: Peer): boolean {
    return [...this.#modules.values()].some((module) => this.stay(peer, module));
  }

  /** Whether a folder has to name the provider. */
  isRequired(peer: Peer, module: Module): boolean {
    const hasObjects = [...module.foreign.values()].some(
      ({ entry, kind, address }) => entry.peer === peer && (kind === "resource" || !address),
    );
    return hasObjects || this.stay(peer, module) || (module.configures(peer) && this.stayAnywhere(peer));
  }

  /** Modules that get their providers by name get the other provider, too. */
  passingEdits(document: Document, module: Module): Edit[] {
    return this.#calls(module, document).flatMap(([block, called]) => {
      const attribute = attributeOf(block.body, "providers");
      const value = attribute && new Expr({ document, edits: [] }, attribute.value);
      return (value?.members ?? []).flatMap(([key, { text, node }]) => {
        const [local = "", ...alias] = text.split(".");
        const peer = module.locals.get(local);
        if (!peer || !this.stay(peer, called)) return [];
        const inner = [oldName(peer, called), ...key.split(".").slice(1)].join(".");
        const outer = [oldName(peer, module), ...alias].join(".");
        const separator = value?.text.includes("\n") ? "\n    " : ", ";
        return [{ start: node.end, end: node.end, text: `${separator}${inner} = ${outer}` }];
      });
    });
  }

  #calls(module: Module, only?: Document): (readonly [Block, Module])[] {
    const documents = only === undefined ? [...module.documents.values()] : [only];
    return documents.flatMap((document) =>
      blocksOf(document.body, "module").flatMap((block) => {
        const source = attributeOf(block.body, "source");
        const path = source && new Expr({ document, edits: [] }, source.value).string;
        const called = path?.startsWith(".") && this.#modules.get(join(folderOf(module), path).replace(/(.)\/$/, "$1"));
        return called ? [[block, called] as const] : [];
      }),
    );
  }
}

const folderOf = ({ documents }: Module): string => dirname([...documents.keys()][0] ?? "");

/** What stays, and what is taken out of the state, needs its provider with its settings. */
const staysOrGoes = ({ address, entry, type, kind }: Foreign): boolean =>
  address === null || (kind === "resource" && !isMovable(entry.peer, type, entry.target ?? ""));
