import { mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { build, type Plugin } from "esbuild";

/** The files of a bundled program by name; `provider.mjs` is the entry. */
export type Bundle = ReadonlyMap<string, Uint8Array>;

export const entryName = "provider.mjs";

/**
 * Bundles a program and everything it imports into a few files. Dynamic imports get separate files, so that a start
 * does not read what it does not need.
 */
export async function bundle(entry: string, plugins: Plugin[] = []): Promise<Bundle> {
  const { outputFiles } = await build({
    // Paths in the output are relative to this, so that the output is the same on every machine.
    absWorkingDir: join(import.meta.dirname, ".."),
    entryPoints: { provider: entry },
    outdir: "out",
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    write: false,
    platform: "node",
    target: "node24",
    format: "esm",
    legalComments: "none",
    loader: { ".wasm": "binary" },
    // undici leaves out its second, experimental HTTP parser where this is defined.
    define: { esbuildDetection: "1" },
    plugins,
  });
  return new Map(outputFiles.map(({ path, contents }) => [basename(path), contents]));
}

/** Writes the files for Node, or with their text adapted to another runtime. */
export function writeBundle(folder: string, files: Bundle, adapt: (text: string) => string = forNode): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, contents] of files) writeFileSync(join(folder, name), adapt(Buffer.from(contents).toString()));
}

/** A CommonJS dependency requires `require`, which an ES module does not have in Node. */
const forNode = (text: string): string =>
  `import { createRequire } from "node:module"; const require = createRequire(import.meta.url);\n${text}`;
