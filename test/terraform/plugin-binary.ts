import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundle } from "../../scripts/bundle.ts";
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
 * Bundles a provider's entry into one file, with a launcher of the name Terraform looks for. What was bundled before
 * is used again as long as its contents are the same.
 */
export async function buildPluginBinary(name: string, entry: string): Promise<PluginBinary> {
  const code = await bundle(entry);
  const hash = createHash("sha256").update(process.execPath).update(code).digest("hex").slice(0, 16);
  const folder = join(cacheFolder("plugins"), `${name}-${hash}`);
  const path = join(folder, `terraform-provider-${name}`);
  if (!existsSync(folder)) writeAtOnce(folder, name, code);
  return { name, folder, path };
}

/** Several test workers may bundle at the same time; each sees the whole folder or none. */
function writeAtOnce(folder: string, name: string, code: Uint8Array): void {
  const draft = `${folder}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  writeFileSync(join(draft, "provider.mjs"), code);
  const launcher = join(draft, `terraform-provider-${name}`);
  // `exec`: a shell in between would swallow signals and outlive the provider.
  writeFileSync(launcher, `#!/bin/sh\nexec '${process.execPath}' '${join(folder, "provider.mjs")}' "$@"\n`);
  chmodSync(launcher, 0o755);
  try {
    renameSync(draft, folder);
  } catch {
    rmSync(draft, { recursive: true, force: true });
  }
}
