/**
 * `npm run dev`: writes `dist/terraform-provider-shelf`, which Terraform can start, and `dist/dev.tfrc`, which makes Terraform use it
 * without an installation.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { address } from "../src/address.ts";

const root = join(import.meta.dirname, "..");
const dist = join(root, "dist");

export const cliConfig = join(dist, "dev.tfrc");

export function writeLauncher(): void {
  mkdirSync(dist, { recursive: true });
  const start = `#!/bin/sh\nexec '${process.execPath}' '${join(root, "src/main.ts")}' "$@"\n`;
  writeFileSync(join(dist, "terraform-provider-shelf"), start, { mode: 0o755 });
  const overrides = `dev_overrides {\n    "${address}" = "${dist}"\n  }`;
  writeFileSync(cliConfig, `provider_installation {\n  ${overrides}\n  direct {}\n}\n`);
}

if (import.meta.main) {
  writeLauncher();
  process.stdout.write(`export TF_CLI_CONFIG_FILE='${cliConfig}'\n`);
}
