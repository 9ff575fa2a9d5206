/**
 * `npm run build`: the provider as a few files and a launcher with the name that Terraform expects, in `dist` or in the
 * given folder. It requires this repository's Node; `npm run package` builds executables without requirements.
 */
import { chmodSync, globSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { entryName, writeBundle } from "./bundle.ts";
import { bundleProvider } from "./provider-bundle.ts";

const [, , dist = join(import.meta.dirname, "../dist")] = process.argv;

// Chunks are named by their contents, so those of the last build would stay; `dist` also contains other files.
for (const old of globSync("*.mjs", { cwd: dist })) rmSync(join(dist, old));
writeBundle(dist, (await bundleProvider()).files);
const launcher = join(dist, "terraform-provider-proxmox");
// `exec`, since a shell in between would swallow signals; `${0%/*}`, since starting `dirname` takes longer.
writeFileSync(launcher, `#!/bin/sh\nexec '${process.execPath}' "\${0%/*}/${entryName}" "$@"\n`);
chmodSync(launcher, 0o755);
process.stderr.write(`built ${launcher}\n`);
