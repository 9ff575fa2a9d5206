/**
 * `node scripts/check-installed.ts`: what is installed is what the committed lock file names, byte by byte. Releases are made so, since
 * `npm ci` requires a lock file with the packages of every platform (decision 004), of which some registries have only a few.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

type Packages = Readonly<Record<string, { readonly version?: string; readonly integrity?: string }>>;

/** Installed packages that are not those of the lock file. */
export const notLocked = (installed: Packages, locked: Packages): string[] =>
  Object.entries(installed).flatMap(([path, { version, integrity }]) => {
    const wanted = locked[path];
    const isSame = integrity !== undefined && wanted?.integrity === integrity && wanted.version === version;
    return isSame ? [] : [`${path} ${version}`];
  });

if (import.meta.main) {
  const root = join(import.meta.dirname, "..");
  const packagesIn = (text: string) => (JSON.parse(text) as { packages: Packages }).packages;
  // `npm install` may have added to the file itself.
  const committed = execFileSync("git", ["show", "HEAD:package-lock.json"], { cwd: root, encoding: "utf8" });
  const installed = packagesIn(readFileSync(join(root, "node_modules/.package-lock.json"), "utf8"));
  const wrong = notLocked(installed, packagesIn(committed));
  process.stderr.write(
    wrong.length === 0
      ? `${Object.keys(installed).length} packages, as in package-lock.json\n`
      : `Not as in package-lock.json: ${wrong.join(", ")}\n`,
  );
  process.exitCode = wrong.length === 0 ? 0 : 1;
}
