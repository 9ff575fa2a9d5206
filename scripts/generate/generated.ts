import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** Files that are derived from others and committed, so that a review shows their changes. */
export interface Generated {
  /** Files and folders that contain only generated files: any other file there is left over. */
  readonly owns: readonly string[];
  /** Texts by path from the top of the repository. */
  files(): Promise<ReadonlyMap<string, string>>;
}

/** A file with the wrong contents; without a text it should not exist. */
export interface Stale {
  readonly path: string;
  readonly text?: string;
}

export async function findStale(root: string, { owns, files }: Generated): Promise<Stale[]> {
  const wanted = await files();
  const changed = [...wanted].filter(([path, text]) => readIfThere(join(root, path)) !== text);
  const leftOver = owns.flatMap((path) => filesUnder(root, path)).filter((path) => !wanted.has(path));
  return [...changed.map(([path, text]) => ({ path, text })), ...leftOver.map((path) => ({ path }))];
}

export function refresh(root: string, { path, text }: Stale): void {
  const file = join(root, path);
  if (text === undefined) rmSync(file);
  else {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

const readIfThere = (file: string): string | undefined => (existsSync(file) ? readFileSync(file, "utf8") : undefined);

function filesUnder(root: string, path: string): string[] {
  const place = join(root, path);
  if (!existsSync(place)) return [];
  if (statSync(place).isFile()) return [path];
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}
