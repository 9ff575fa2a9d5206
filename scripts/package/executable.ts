import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Bundle, entryName, writeBundle } from "../bundle.ts";
import { bunExecutable } from "./bun-release.ts";
import { hostPlatform, type Platform, targetOf } from "./platform.ts";

/** Files of the folder that the program is started in, which belong to other programs (decision 024). */
const neverRead = ["dotenv", "bunfig", "tsconfig", "package-json"].map((kind) => `--no-compile-autoload-${kind}`);

/** Of which functions the executable has compiled code, besides their sources. */
export type Compiled = "all" | "outer" | "none";

const bytecode: Record<Compiled, readonly string[]> = {
  all: ["--bytecode"],
  outer: ["--bytecode", "--bytecode-depth=1"],
  none: [],
};

/**
 * The program as an executable for a platform: Bun for it, with the files of the bundle and what Bun has compiled of them.
 * The Bun of this machine makes it for every platform; `BUN_EXECUTABLE` is used in place of the platform's own.
 */
export function makeExecutable(platform: Platform, files: Bundle, target: string, compiled: Compiled = "all"): void {
  const workshop = mkdtempSync(join(tmpdir(), "executable-"));
  try {
    writeBundle(workshop, files, withVisibleRequires);
    const base = process.env["BUN_EXECUTABLE"] ?? bunExecutable(platform);
    const options = ["--compile", `--compile-executable-path=${base}`, ...neverRead];
    const kept = uncompiled(files).flatMap((name) => [`--external=./${name}`, `--asset=${name}`]);
    // Bun would write the name of the folder into the program, which differs from build to build.
    const places = ["--define=__dirname='/'", "--define=__filename='/'"];
    const form = [`--target=${targetOf(platform)}`, "--format=esm", "--splitting", ...bytecode[compiled]];
    // Bun writes into the folder it is started in.
    execFileSync(
      bunExecutable(hostPlatform()),
      ["build", ...options, ...form, ...kept, ...places, `--outfile=${target}`, entryName],
      { cwd: workshop, stdio: "pipe", env: withoutSettings(process.env) },
    );
  } finally {
    rmSync(workshop, { recursive: true, force: true });
  }
}

/**
 * Bun adds what it has compiled of its own modules, such as `node:http2`, if it sees the program import or require them. It sees
 * neither through esbuild's helper, which stands for `require` in ES modules, nor through `getBuiltinModule` (decision 029).
 */
export const withVisibleRequires = (text: string): string =>
  text.replaceAll(/\b(?:__require|process\.getBuiltinModule)\("/g, 'require("');

/**
 * The simulator, which no process that Terraform starts loads, is added as it is: what Bun compiles of it would make each zip
 * file 1.4 MB larger. A part that imports others cannot be added so, since Bun gives those other names.
 */
function uncompiled(files: Bundle): string[] {
  return [...files].flatMap(([name, contents]) => {
    const text = Buffer.from(contents).toString();
    return text.includes("// src/simulator/core/") && !/^(import|} from) "\.\//m.test(text) ? [name] : [];
  });
}

/** Variables with which a user configures Bun for other purposes. */
const withoutSettings = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !/^(BUN_|NODE_)/.test(name)));
