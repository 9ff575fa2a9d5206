import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(import.meta.dirname, "../..");

/** Records which of our sources and which packages each process of a provider loads, bundled or not. */
export class LoadedModules implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), "modules-"));

  /** Options of Node that make a process record what it loads. */
  readonly options = ["--import", join(import.meta.dirname, "record-modules.ts")];
  readonly env = { LOADED_MODULES: this.#folder };

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Paths from the top of the repository, one list for each process, in the order of their start. */
  get processes(): string[][] {
    const records = readdirSync(this.#folder).map((name) => join(this.#folder, name));
    const started = (path: string) => statSync(path).birthtimeMs;
    return records
      .sort((a, b) => started(a) - started(b))
      .map((path) => readFileSync(path, "utf8"))
      .map(sourcesIn);
  }
}

function sourcesIn(record: string): string[] {
  const urls = record.split("\n").filter((url) => url.startsWith("file:"));
  return [...new Set(urls.map((url) => fileURLToPath(url)).flatMap(sourcesOf))];
}

/** A bundle names each source in a comment above its code. */
function sourcesOf(path: string): string[] {
  if (path.startsWith(root)) return [path.slice(root.length + 1)];
  return [...readFileSync(path, "utf8").matchAll(/^ *\/\/ ((?:src|node_modules)\/\S+)$/gm)].map(
    ([, source = ""]) => source,
  );
}

/** The packages among them. */
export const packagesIn = (paths: readonly string[]): string[] => [
  ...new Set(paths.flatMap((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? [])),
];

/** The ones that `src/registry.ts` loads a definition from. */
export function definitionsIn(paths: readonly string[]): string[] {
  const registry = readFileSync(join(root, "src/registry.ts"), "utf8");
  const registered = new Set(
    [...registry.matchAll(/import\("\.\/(resources\/[^"]+)"\)/g)].map(([, path]) => `src/${path}`),
  );
  return paths.filter((path) => registered.has(path));
}
