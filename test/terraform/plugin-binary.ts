import { createHash } from "node:crypto";
import { chmodSync, existsSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Plugin } from "esbuild";
import { type Bundle, bundle, writeBundle } from "../../scripts/bundle.ts";
import { cacheFolder } from "../../src/cli/cache-folder.ts";

/** A provider that can be started as a program. */
export interface PluginBinary {
  /** `corner` for `terraform-provider-corner`. */
  name: string;
  /** The folder Terraform is pointed at. */
  folder: string;
  path: string;
}

/**
 * Bundles a provider's entry, with a launcher of the name Terraform looks for. What was bundled before
 * is used again as long as its contents are the same.
 */
export async function buildPluginBinary(name: string, entry: string, plugins: Plugin[] = []): Promise<PluginBinary> {
  const files = await bundle(entry, plugins);
  const hash = hashOf(files);
  const folder = join(cacheFolder("plugins"), `${name}-${hash}`);
  const path = join(folder, `terraform-provider-${name}`);
  if (!existsSync(folder)) {
    writeAtOnce(folder, name, files);
    for (const made of [folder, compiledFolder(folder)]) forgetOld(dirname(made));
  }
  return { name, folder, path };
}

function hashOf(files: Bundle): string {
  const hash = createHash("sha256").update(launcher(""));
  for (const [name, contents] of files) hash.update(name).update(contents);
  return hash.digest("hex").slice(0, 16);
}

/**
 * `exec`: a shell in between would swallow signals and outlive the provider. What was compiled at one start is there for the
 * next, as it is for the executable that is shipped; Terraform starts a provider several times in each command.
 */
function launcher(folder: string): string {
  const compiled = `export NODE_COMPILE_CACHE='${compiledFolder(folder)}'`;
  const start = `exec '${process.execPath}' '${join(folder, "provider.mjs")}' "$@"`;
  return `#!/bin/sh\n${compiled}\n${start}\n`;
}

/** Where Node keeps what it has compiled; not in the folder itself, whose checksum `terraform init` takes. */
const compiledFolder = (folder: string): string => join(cacheFolder("compiled"), basename(folder));

/** Every change of a source makes another folder; those of yesterday are of no use. */
function forgetOld(place: string): void {
  const day = 24 * 60 * 60 * 1_000;
  for (const name of existsSync(place) ? readdirSync(place) : []) {
    const folder = join(place, name);
    const age = Date.now() - (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > day) rmSync(folder, { recursive: true, force: true });
  }
}

/** Several test workers may bundle at the same time; each sees the whole folder or none. */
function writeAtOnce(folder: string, name: string, files: Bundle): void {
  const draft = `${folder}.${process.pid}`;
  writeBundle(draft, files);
  const program = join(draft, `terraform-provider-${name}`);
  writeFileSync(program, launcher(folder));
  chmodSync(program, 0o755);
  try {
    renameSync(draft, folder);
  } catch {
    rmSync(draft, { recursive: true, force: true });
  }
}
