/**
 * `npm run build`: the provider as it is shipped, a few files and a launcher of the name Terraform looks for, in `dist`
 * or in the folder given.
 */
import { chmodSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "esbuild";
import { createServer } from "#framework";
import { encodeProviderSchema } from "#plugin";
import { provider } from "../src/provider.ts";
import { bundle, writeBundle } from "./bundle.ts";

const root = join(import.meta.dirname, "..");
const [, , dist = join(root, "dist")] = process.argv;

/** Puts the encoded schema where the sources have none. */
const preparedSchema: Plugin = {
  name: "prepared-schema",
  setup(build) {
    build.onLoad({ filter: /src\/prepared-schema\.ts$/ }, async () => {
      const bytes = await encodeProviderSchema(createServer(provider));
      const base64 = JSON.stringify(Buffer.from(bytes).toString("base64"));
      return { contents: `export const preparedSchema = async () => Buffer.from(${base64}, "base64");`, loader: "js" };
    });
  },
};

rmSync(dist, { recursive: true, force: true });
writeBundle(dist, await bundle(join(root, "src/main.ts"), [preparedSchema]));
const launcher = join(dist, "terraform-provider-proxmox");
// `exec`, since a shell in between would swallow signals; `${0%/*}`, since starting `dirname` takes longer than that.
writeFileSync(launcher, `#!/bin/sh\nexec '${process.execPath}' "\${0%/*}/provider.mjs" "$@"\n`);
chmodSync(launcher, 0o755);
process.stderr.write(`built ${launcher}\n`);
