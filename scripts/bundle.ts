import { build, type Plugin } from "esbuild";

/**
 * Makes one file of a program and everything it imports. Later imports stay later: what a dynamic import leads to is
 * in the file, but runs only when it is asked for.
 */
export async function bundle(entry: string, plugins: Plugin[] = []): Promise<Uint8Array> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    platform: "node",
    target: "node24",
    format: "esm",
    legalComments: "none",
    banner: { js: requireForCommonJs },
    plugins,
  });
  const [file] = outputFiles;
  if (!file) throw new Error(`nothing came of ${entry}`);
  return file.contents;
}

/** A CommonJS dependency asks for `require`, which an ES module does not have. */
const requireForCommonJs =
  'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);';
