import { existsSync, mkdirSync, renameSync, rmdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { UsageError } from "./run-command.ts";

const codeOf = (thrown: unknown): string => (thrown as NodeJS.ErrnoException).code ?? String(thrown);

/** The user may have edited an existing file: it is replaced only where `--force` says so. A file is written whole or not at all. */
export function writeOutput(file: string, text: string, { force = false, mode = 0o666 } = {}): void {
  const isReplaced = force && existsSync(file) && statSync(file).isFile();
  const target = isReplaced ? `${file}.${process.pid}.new` : file;
  const isSpecial = force && !isReplaced && existsSync(file);
  try {
    writeFileSync(target, text, { flag: isSpecial ? "w" : "wx", mode });
    if (isReplaced) renameSync(target, file);
  } catch (thrown) {
    if (codeOf(thrown) === "EEXIST") throw new UsageError(`'${file}' exists; --force overwrites it.`);
    if (!isSpecial) rmSync(target, { force: true });
    throw new UsageError(`'${file}' cannot be written: ${codeOf(thrown)}.`);
  }
}

/** All of them or none: a file that is there is never overwritten. */
export function writeFolder(folder: string, files: ReadonlyMap<string, string>): void {
  if (existsSync(folder) && !statSync(folder).isDirectory()) throw new UsageError(`'${folder}' is not a folder.`);
  const paths = [...files].map(([name, text]) => [join(folder, name), text] as const);
  const taken = paths.find(([path]) => existsSync(path));
  if (taken !== undefined) throw new UsageError(`'${taken[0]}' exists. Give an empty folder.`);
  const missing = missingFolders(folder);
  const written: string[] = [];
  try {
    for (const one of missing) mkdirSync(one);
    for (const [path, text] of paths) {
      written.push(path);
      writeFileSync(path, text, { flag: "wx" });
    }
  } catch (thrown) {
    for (const path of written) rmSync(path, { force: true });
    for (const one of missing.toReversed()) if (existsSync(one)) rmdirSync(one);
    throw new UsageError(`'${written.at(-1) ?? folder}' cannot be written: ${codeOf(thrown)}. Nothing was written.`);
  }
}

/** One by one: Node never ends making folders below `/proc`. */
function missingFolders(folder: string): string[] {
  const missing: string[] = [];
  for (let at = resolve(folder); !existsSync(at); at = dirname(at)) missing.unshift(at);
  return missing;
}
