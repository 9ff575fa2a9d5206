import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { transform } from "esbuild";
import type { Bundle } from "../bundle.ts";
import { nodeVersion } from "./node-release.ts";

/**
 * Most processes plan a few objects and end: their allocations fit into the heap without a collection, and threads for
 * collecting or compiling cost more than they save. None of these flags invalidates the code caches of Node or of the
 * provider.
 */
const forShortLives = [
  "--min-semi-space-size=8",
  "--max-semi-space-size=8",
  "--single-threaded-gc",
  "--v8-pool-size=1",
];

/**
 * The blob that turns Node into the provider: the same bytes for every platform and every build, since it contains no
 * code cache and no snapshot (decision 011).
 */
export async function makeBlob(bundle: Bundle): Promise<Buffer> {
  if (process.versions.node !== nodeVersion) {
    throw new Error(
      `the blob for Node ${nodeVersion} cannot be made by Node ${process.versions.node}; use npm scripts`,
    );
  }
  const workshop = mkdtempSync(join(tmpdir(), "executable-"));
  try {
    mkdirSync(join(workshop, "parts"));
    // Sorted, and with relative paths: both become part of the blob.
    const assets: Record<string, string> = { build: "build" };
    const build = createHash("sha256").update(nodeVersion);
    for (const name of [...bundle.keys()].sort()) {
      const code = await commonJs(Buffer.from(bundle.get(name) ?? []).toString("utf8"));
      assets[name] = `parts/${name}`;
      writeFileSync(join(workshop, "parts", name), code);
      build.update(name).update(code);
    }
    writeFileSync(join(workshop, "build"), build.digest("hex").slice(0, 16));
    const main = readFileSync(join(import.meta.dirname, "executable-main.ts"), "utf8");
    writeFileSync(join(workshop, "main.cjs"), await commonJs(main));
    const config = {
      main: "main.cjs",
      output: "blob",
      assets,
      disableExperimentalSEAWarning: true,
      execArgv: forShortLives,
      // NODE_OPTIONS are meant for other programs.
      execArgvExtension: "none",
    };
    writeFileSync(join(workshop, "config.json"), JSON.stringify(config));
    execFileSync(process.execPath, ["--experimental-sea-config", "config.json"], { cwd: workshop, stdio: "pipe" });
    return readFileSync(join(workshop, "blob"));
  } finally {
    rmSync(workshop, { recursive: true, force: true });
  }
}

/** `import` and `import()` become calls of `require`, which each part receives. */
async function commonJs(source: string): Promise<string> {
  const { code } = await transform(source, {
    loader: "ts",
    format: "cjs",
    platform: "node",
    target: "node24",
    supported: { "dynamic-import": false },
  });
  return code;
}
