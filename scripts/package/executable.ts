import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Bundle, entryName, writeBundle } from "../bundle.ts";
import { bunExecutable } from "./bun-release.ts";
import { hostPlatform, type Platform } from "./platform.ts";

/** Files of the folder that the program is started in, which belong to other programs (decision 024). */
const neverRead = ["dotenv", "bunfig", "tsconfig", "package-json"].map((kind) => `--no-compile-autoload-${kind}`);

/**
 * The program as an executable for a platform: Bun for it, with the files of the bundle and what Bun has compiled of them.
 * The Bun of this machine makes it for every platform; `BUN_EXECUTABLE` is used in place of the platform's own.
 */
export function makeExecutable(platform: Platform, files: Bundle, target: string): void {
  const workshop = mkdtempSync(join(tmpdir(), "executable-"));
  try {
    writeBundle(workshop, files);
    const base = process.env["BUN_EXECUTABLE"] ?? bunExecutable(platform);
    const options = ["--compile", `--compile-executable-path=${base}`, ...neverRead];
    const form = ["--target=bun", "--format=esm", "--splitting", "--bytecode", ...depth(platform)];
    // Bun writes into the folder it is started in, and the folder's name must not become part of the program.
    execFileSync(
      bunExecutable(hostPlatform()),
      ["build", ...options, ...form, "--define=__dirname='/'", `--outfile=${target}`, entryName],
      { cwd: workshop, stdio: "pipe", env: withoutSettings(process.env) },
    );
  } finally {
    rmSync(workshop, { recursive: true, force: true });
  }
}

/** Bun for Windows is the largest: the code of inner functions would make the zip file larger than 60 MB. */
const depth = ({ os }: Platform): string[] => (os === "windows" ? ["--bytecode-depth=1"] : []);

/** Variables with which a user configures Bun for other purposes. */
const withoutSettings = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !/^(BUN_|NODE_)/.test(name)));
