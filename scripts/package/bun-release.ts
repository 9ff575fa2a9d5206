import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder } from "../../src/cli/cache-folder.ts";
import type { Licensed } from "../licenses.ts";
import { type Platform, platforms } from "./platform.ts";

/** Bun for each platform, from npm, with the required hash of each package, as in `package-lock.json`. */
interface BunRelease {
  version: string;
  integrity: Record<string, string>;
}

const lockFile = join(import.meta.dirname, "bun-release.json");
const locked = JSON.parse(readFileSync(lockFile, "utf8")) as BunRelease;

export const bunVersion: string = locked.version;

/** Bun's executable for a platform, downloaded once. */
export function bunExecutable({ bun, os }: Platform): string {
  const wanted = locked.integrity[bun];
  if (!wanted)
    throw new Error(`${bun} ${bunVersion} is not in bun-release.json; \`npm run package -- --lock\` adds it`);
  const folder = join(cacheFolder(`bun-${bunVersion}`), `${bun.replace("/", "-")}-${hexOf(wanted).slice(0, 16)}`);
  if (!existsSync(folder)) download(bun, wanted, folder);
  return join(folder, "bin", os === "windows" ? "bun.exe" : "bun");
}

/** Its packages have no file with a licence, and the text of its parts is on its pages. */
export function bunLicense(): Licensed {
  return { name: "bun", version: bunVersion, license: "MIT AND LGPL-2.0-or-later", text: notice };
}

const notice = `Bun is licensed under the MIT License. It includes JavaScriptCore and other parts of WebKit, and TinyCC, under the
GNU Lesser General Public License, version 2 and 2.1, and libraries under other licences. The whole list is
https://github.com/oven-sh/bun/blob/bun-v${bunVersion}/LICENSE.md

This executable is Bun ${bunVersion} without a change, with this program appended to it. The sources of Bun are
https://github.com/oven-sh/bun/tree/bun-v${bunVersion}, and those of its WebKit https://github.com/oven-sh/WebKit. To run this
program on a Bun with a changed library, build that Bun as its page describes, and this program's sources with it:
\`npm run package\` takes the Bun in BUN_EXECUTABLE in place of the released one.`;

/** A second process that starts during the download finds the whole folder or none. */
function download(bun: string, wanted: string, folder: string): void {
  mkdirSync(cacheFolder(`bun-${bunVersion}`), { recursive: true });
  const draft = mkdtempSync(`${folder}-`);
  try {
    const archive = npm("pack", "--silent", `--pack-destination=${draft}`, `${bun}@${bunVersion}`).trim();
    checkIntegrity(`${bun} ${bunVersion}`, readFileSync(join(draft, archive)), wanted);
    const contents = join(draft, "contents");
    mkdirSync(contents);
    execFileSync("tar", ["-xzf", join("..", archive), "--strip-components=1"], { cwd: contents });
    renameSync(contents, folder);
  } catch (thrown) {
    if (!existsSync(folder)) throw thrown;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Throws unless the bytes have the locked hash. */
export function checkIntegrity(what: string, bytes: Uint8Array, wanted: string): void {
  const got = `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
  if (got !== wanted) throw new Error(`${what} does not match bun-release.json: its hash is ${got}, not ${wanted}`);
}

/** Locks a version: the hashes of all platforms, as the registry has them. */
export function lockRelease(version: string): void {
  const integrity = Object.fromEntries(
    platforms.map(({ bun }) => [bun, npm("view", `${bun}@${version}`, "dist.integrity").trim()] as const).sort(),
  );
  writeFileSync(lockFile, `${JSON.stringify({ version, integrity }, null, 2)}\n`);
}

const npm = (...args: string[]): string =>
  execFileSync("npm", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });

const hexOf = (integrity: string): string => Buffer.from(integrity.replace("sha512-", ""), "base64").toString("hex");
