/**
 * `npm run install:local`: makes the executable for this machine and puts it where `terraform init` and `tofu init` look
 * by themselves, so that `source = "proxmox-ts/proxmox"` works without a registry and without a configuration file.
 * `-- --as 0.1.1` gives it another version than the one in `package.json`.
 */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import packageJson from "../package.json" with { type: "json" };
import { sourceAddress } from "../src/source-address.ts";
import { makeBlob } from "./package/blob.ts";
import { makeExecutable } from "./package/executable.ts";
import { nodeLicense } from "./package/node-release.ts";
import { hostPlatform, nameOf } from "./package/platform.ts";
import { executableFile } from "./package/release-files.ts";
import { bundleProvider } from "./provider-bundle.ts";

const { values } = parseArgs({ options: { as: { type: "string", default: packageJson.version } } });
const version = values.as;

/** Searched by both, first of all; they call it an implied local mirror. */
const plugins =
  process.platform === "win32"
    ? join(process.env["APPDATA"] ?? homedir(), "terraform.d/plugins")
    : join(homedir(), ".terraform.d/plugins");

/** Where a source address without a host is looked for, by Terraform and by OpenTofu. */
const hosts = ["registry.terraform.io", "registry.opentofu.org"];
const [, ...namespaceAndName] = sourceAddress.split("/");

const platform = hostPlatform();
const file = executableFile(version, platform);
const workshop = mkdtempSync(join(tmpdir(), "install-"));
try {
  const { files } = await bundleProvider({ version, beside: [nodeLicense()] });
  makeExecutable(platform, await makeBlob(files), join(workshop, file));
  for (const host of hosts) {
    const folder = join(plugins, host, ...namespaceAndName, version, nameOf(platform));
    // A program that is running cannot be written to, but it can be removed.
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    copyFileSync(join(workshop, file), join(folder, file));
    process.stderr.write(`installed ${join(folder, file)}\n`);
  }
} finally {
  rmSync(workshop, { recursive: true, force: true });
}
