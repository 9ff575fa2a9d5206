import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import type { Plugin } from "esbuild";
import { cacheFolder } from "../../src/cli/cache-folder.ts";

/** A provider that can be started as a program. */
export interface PluginBinary {
  /** `corner` for `terraform-provider-corner`. */
  name: string;
  /** The folder of the development override. */
  folder: string;
  path: string;
}

const root = join(import.meta.dirname, "../..");

/** What a bundle is made of besides its entry; the lock file stands for the packages. */
const inputs = [
  "scripts/package",
  "src",
  "scripts/bundle.ts",
  "scripts/provider-bundle.ts",
  "package.json",
  "package-lock.json",
];

/** `EXECUTABLE=1` tests the executable that is released; otherwise its sources on this Node, which is built sooner. */
export const isExecutable = process.env["EXECUTABLE"] === "1";

/** By entry: a test file asks several times. */
const made = new Map<string, Promise<PluginBinary>>();

/**
 * Bundles a provider, with a launcher of the name that Terraform looks for. An earlier bundle is used again as long as
 * nothing that it is made of has changed.
 */
export function buildPluginBinary(
  name: string,
  entry: string,
  plugins: () => Promise<Plugin[]> = async () => [],
): Promise<PluginBinary> {
  const promise = made.get(entry) ?? findOrMake(name, entry, plugins);
  made.set(entry, promise);
  return promise;
}

async function findOrMake(name: string, entry: string, plugins: () => Promise<Plugin[]>): Promise<PluginBinary> {
  const folder = join(cacheFolder("plugins"), `${name}-${hashOf([...inputs, relative(root, dirname(entry))])}`);
  const path = join(folder, `terraform-provider-${name}`);
  if (!existsSync(folder)) {
    const { bundle, writeBundle } = await import("../../scripts/bundle.ts");
    const files = await bundle(entry, await plugins());
    const { makeExecutable } = await import("../../scripts/package/executable.ts");
    const { hostPlatform } = await import("../../scripts/package/platform.ts");
    writeAtOnce(folder, (draft) => {
      writeBundle(draft, files);
      if (isExecutable) makeExecutable(hostPlatform(), files, join(draft, basename(path)));
      else writeFileSync(join(draft, basename(path)), launcher(folder), { mode: 0o755 });
    });
    for (const one of [folder, compiledFolder(folder)]) forgetOld(dirname(one));
  }
  return { name, folder, path };
}

function hashOf(places: readonly string[]): string {
  const hash = createHash("sha256").update(isExecutable ? "executable" : launcher(""));
  for (const path of places.flatMap(filesAt)) hash.update(path).update(readFileSync(join(root, path)));
  return hash.digest("hex").slice(0, 16);
}

function filesAt(place: string): string[] {
  const path = join(root, place);
  if (statSync(path).isFile()) return [place];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort();
}

/**
 * `exec`: a shell in between would swallow signals and outlive the provider. Compiled code is cached as in the shipped
 * executable, since Terraform starts a provider several times in each command.
 */
function launcher(folder: string): string {
  const compiled = `export NODE_COMPILE_CACHE='${compiledFolder(folder)}'`;
  const start = `exec '${process.execPath}' '${join(folder, "provider.mjs")}' "$@"`;
  return `#!/bin/sh\n${compiled}\n${start}\n`;
}

/** Where Node caches compiled code; not in the folder itself, which `terraform init` computes a checksum of. */
const compiledFolder = (folder: string): string => join(cacheFolder("compiled"), basename(folder));

/** Every change of a source makes a new folder; those older than a day are removed. */
function forgetOld(place: string): void {
  const day = 24 * 60 * 60 * 1_000;
  for (const name of existsSync(place) ? readdirSync(place) : []) {
    const folder = join(place, name);
    const age = Date.now() - (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > day) rmSync(folder, { recursive: true, force: true });
  }
}

/** Several workers may bundle at the same time; each sees a complete folder or none. */
function writeAtOnce(folder: string, write: (draft: string) => void): void {
  const draft = `${folder}.${process.pid}`;
  write(draft);
  try {
    renameSync(draft, folder);
  } catch {
    rmSync(draft, { recursive: true, force: true });
  }
}
