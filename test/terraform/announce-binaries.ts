import { findBinaries, howToGetOne, openTofuVersion } from "../../src/cli/terraform-binaries.ts";

/** Prints before the tests which binaries they use, and which are missing. */
export function setup(): void {
  const binaries = findBinaries();
  const lines = binaries.map(({ name, version, path }) => `testing with ${name} ${version} (${path})`);
  if (binaries.length === 0) lines.push(`tests that need Terraform or OpenTofu are skipped. ${howToGetOne}`);
  else if (!binaries.some(({ name }) => name === "tofu")) {
    lines.push(`tests with OpenTofu are skipped; with Go installed, \`npm run setup:tofu\` builds ${openTofuVersion}`);
  }
  process.stderr.write(`${lines.join("\n")}\n`);
}
