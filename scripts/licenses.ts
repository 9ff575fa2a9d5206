import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A shipped component, and its licence. */
export interface Licensed {
  name: string;
  version: string;
  /** SPDX expression. */
  license: string;
  text: string;
}

const insidePackage = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//;

/**
 * The packages of the bundled files, by name. Their licence texts must be shipped with them, so a package without one
 * cannot be bundled: this throws.
 */
export function licensesOf(files: Iterable<string>, root: string): Licensed[] {
  const folders = new Set([...files].flatMap((file) => insidePackage.exec(file)?.[1] ?? []));
  return [...folders].map((folder) => licenseOf(join(root, folder))).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function licenseOf(folder: string): Licensed {
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Partial<Licensed>;
  const { name = folder, version = "", license } = manifest;
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (typeof license !== "string" || file === undefined) {
    throw new Error(`${name} ${version} is bundled, but its package names no licence or has no text of it: ${folder}`);
  }
  return { name, version, license, text: readFileSync(join(folder, file), "utf8") };
}

/** The output of `--licenses`: a list, then every text. */
export function printLicenses(all: readonly Licensed[]): string {
  const list = all.map(({ name, version, license }) => `  ${`${name} ${version}`.padEnd(36)}${license}`);
  const texts = all.map(({ name, version, text }) => `${"=".repeat(80)}\n${name} ${version}\n\n${text.trim()}\n`);
  return [`This program contains:\n\n${list.join("\n")}\n`, ...texts].join("\n");
}
