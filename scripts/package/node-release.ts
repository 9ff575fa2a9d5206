import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder } from "../../src/cli/cache-folder.ts";
import type { Licensed } from "../licenses.ts";
import { nameOf, type Platform, platforms } from "./platform.ts";

/** Node for each platform, from npm, with the required hash of each package, as in `package-lock.json`. */
interface NodeRelease {
  version: string;
  integrity: Record<string, string>;
}

const lockFile = join(import.meta.dirname, "node-release.json");
const locked = JSON.parse(readFileSync(lockFile, "utf8")) as NodeRelease;

export const nodeVersion: string = locked.version;

/** Whether the hash of Node for that platform is known; not every registry has every platform of a version. */
export const isLocked = ({ node }: Platform): boolean => node in locked.integrity;

/** Node's executable for a platform, downloaded once. */
export function nodeExecutable(platform: Platform): string {
  return join(unpacked(platform), "bin", platform.os === "windows" ? "node.exe" : "node");
}

/** Node's own licence with those of its components; it is the same for every platform, but not in every package. */
export function nodeLicense(): Licensed {
  const platform = platforms.find(({ os }) => os === "linux");
  if (!platform) throw new Error("no platform has Node's licence");
  const text = readFileSync(join(unpacked(platform), "LICENSE"), "utf8");
  return { name: "node", version: nodeVersion, license: "MIT", text };
}

function unpacked(platform: Platform): string {
  const { node } = platform;
  const wanted = locked.integrity[node];
  if (!wanted) {
    throw new Error(
      `${nameOf(platform)}: ${node} ${nodeVersion} is not in node-release.json. Where the npm registry has it, ` +
        "`npm run package -- --lock` adds it.",
    );
  }
  const folder = join(cacheFolder(`node-${nodeVersion}`), `${node}-${hexOf(wanted).slice(0, 16)}`);
  if (!existsSync(folder)) download(node, wanted, folder);
  return folder;
}

/** A second process that starts during the download finds the whole folder or none. */
function download(node: string, wanted: string, folder: string): void {
  mkdirSync(cacheFolder(`node-${nodeVersion}`), { recursive: true });
  const draft = mkdtempSync(`${folder}-`);
  try {
    const archive = npm("pack", "--silent", `--pack-destination=${draft}`, `${node}@${nodeVersion}`).trim();
    checkIntegrity(`${node} ${nodeVersion}`, readFileSync(join(draft, archive)), wanted);
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
  if (got !== wanted) throw new Error(`${what} does not match node-release.json: its hash is ${got}, not ${wanted}`);
}

/** Locks the version that `package.json` depends on. Returns the platforms that the registry does not have. */
export function lockRelease(version: string): Platform[] {
  const known = version === locked.version ? locked.integrity : {};
  const found = platforms.map(({ node }) => [node, known[node] ?? integrityOf(`${node}@${version}`)] as const);
  const integrity = Object.fromEntries(found.filter(([, hash]) => hash !== null).sort());
  writeFileSync(lockFile, `${JSON.stringify({ version, integrity }, null, 2)}\n`);
  return platforms.filter(({ node }) => !(node in integrity));
}

function integrityOf(wanted: string): string | null {
  try {
    return npm("view", wanted, "dist.integrity").trim() || null;
  } catch {
    return null;
  }
}

const npm = (...args: string[]): string =>
  execFileSync("npm", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });

const hexOf = (integrity: string): string => Buffer.from(integrity.replace("sha512-", ""), "base64").toString("hex");
