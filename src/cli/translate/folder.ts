import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { UsageError } from "../run-command.ts";

const skippedFolders = new Set([".terraform", ".git", "node_modules"]);
const skippedFiles = /\.tfstate(\..*)?$|^\.terraform\.lock\.hcl$|^crash(\..*)?\.log$/;

/** The files of a configuration, by path with slashes; without states, and without what `init` has made. */
export function readFolder(folder: string, out: string): Map<string, Buffer> {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) throw new UsageError(`'${folder}' is not a folder.`);
  const files = new Map<string, Buffer>();
  const visit = (place: string): void => {
    for (const entry of readdirSync(place, { withFileTypes: true })) {
      const path = join(place, entry.name);
      if (resolve(path) === resolve(out)) continue;
      if (entry.isDirectory() && !skippedFolders.has(entry.name)) visit(path);
      if (entry.isFile() && !skippedFiles.test(entry.name))
        files.set(relative(folder, path).split(sep).join("/"), readFileSync(path));
    }
  };
  visit(folder);
  return files;
}

/** A folder is written whole or not at all, and never into one that has files. */
export function checkEmpty(out: string): void {
  if (existsSync(out) && (!statSync(out).isDirectory() || readdirSync(out).length > 0))
    throw new UsageError(`'${out}' exists and is not empty. Give a new folder.`);
}

/** Writes all files beside their place, then puts them there in one step. */
export function writeFolder(out: string, files: ReadonlyMap<string, string | Buffer>): void {
  checkEmpty(out);
  const target = resolve(out);
  let draft: string | undefined;
  try {
    mkdirSync(dirname(target), { recursive: true });
    draft = mkdtempSync(join(dirname(target), `.${basename(target)}-`));
    for (const [path, content] of files) {
      const file = join(draft, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content, { flag: "wx" });
    }
    if (existsSync(target)) rmdirSync(target);
    renameSync(draft, target);
  } catch (thrown) {
    if (draft !== undefined) rmSync(draft, { recursive: true, force: true });
    const { code } = thrown as NodeJS.ErrnoException;
    throw new UsageError(`'${out}' cannot be written: ${code ?? (thrown as Error).message}.`);
  }
}
