import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { blankSymbols } from "./blank-symbols.ts";
import { nodeExecutable } from "./node-release.ts";
import { nameOf, type Platform } from "./platform.ts";

/** Names that Node requires: `src/node_sea.cc`, and "Single executable applications" in its documentation. */
const resourceName = "NODE_SEA_BLOB";
const machoSegmentName = "NODE_SEA";
const sentinelFuse = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";

/**
 * Turns Node for a platform into the provider. For macOS this works only on a Mac: a changed program must be signed
 * again.
 */
export function makeExecutable(platform: Platform, blob: Buffer, target: string): void {
  const isMac = platform.os === "darwin";
  if (isMac && process.platform !== "darwin") {
    throw new Error(`${nameOf(platform)} must be built on a Mac, since macOS starts only signed programs`);
  }
  const node = readFileSync(nodeExecutable(platform));
  if (platform.os === "linux") blankSymbols(node);
  writeFileSync(target, node, { mode: 0o755 });
  if (isMac) codesign("--remove-signature", target);
  inject(target, blob);
  // Ad hoc: enough to start it, without a certificate.
  if (isMac) codesign("--sign", "-", target);
}

/** With postject's program instead of its function, which prints warnings about sections it does not change. */
function inject(target: string, blob: Buffer): void {
  const postject = fileURLToPath(import.meta.resolve("postject/dist/cli.js"));
  const options = ["--sentinel-fuse", sentinelFuse, "--macho-segment-name", machoSegmentName];
  const resource = `${target}.blob`;
  writeFileSync(resource, blob);
  try {
    execFileSync(process.execPath, [postject, target, resourceName, resource, ...options], { stdio: "pipe" });
  } finally {
    rmSync(resource);
  }
}

const codesign = (...args: string[]): Buffer => execFileSync("codesign", args, { stdio: "pipe" });
