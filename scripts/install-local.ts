/**
 * `npm run install:local`: builds the executable for this machine and puts it where `terraform init` and `tofu init`
 * search by default, so that `source = "proxmox-ts/proxmox"` works without a registry and without a configuration file.
 * The commands in the guides are the same executable: it gets a link in the user's program folder. `-- --as 0.1.1`
 * gives it another version than the one in `package.json`.
 */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { parseArgs } from "node:util";
import packageJson from "../package.json" with { type: "json" };
import { sourceAddress } from "../src/source-address.ts";
import { bunLicense } from "./package/bun-release.ts";
import { makeExecutable } from "./package/executable.ts";
import { hostPlatform } from "./package/platform.ts";
import { executableFile } from "./package/release-files.ts";
import { bundleProvider } from "./provider-bundle.ts";

const { values } = parseArgs({ options: { as: { type: "string", default: packageJson.version } } });
const version = values.as;

/** Both search here first; they call it an implied local mirror. */
const plugins =
  process.platform === "win32"
    ? join(process.env["APPDATA"] ?? homedir(), "terraform.d/plugins")
    : join(homedir(), ".terraform.d/plugins");

/** The default hosts of a source address, for Terraform and for OpenTofu. */
const hosts = ["registry.terraform.io", "registry.opentofu.org"] as const;
const [, ...namespaceAndName] = sourceAddress.split("/");

const platform = hostPlatform();
const file = executableFile(version, platform);
const folderOf = (host: string) => join(plugins, host, ...namespaceAndName, version, `${platform.os}_${platform.arch}`);
const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** A link in the folder for a user's programs (systemd's file-hierarchy(7)), which is on most PATHs. */
function offerCommand(executable: string): void {
  if (process.platform === "win32") {
    say(`the command of the guides is ${executable}`);
    return;
  }
  const programs = join(homedir(), ".local/bin");
  const command = join(programs, "terraform-provider-proxmox");
  mkdirSync(programs, { recursive: true });
  rmSync(command, { force: true });
  symlinkSync(executable, command);
  say(`installed ${command}, the command of the guides`);
  const isOnPath = (process.env["PATH"] ?? "").split(delimiter).includes(programs);
  if (!isOnPath) say(`${programs} is not on your PATH: export PATH="$HOME/.local/bin:$PATH"`);
}

let isUpgrade = false;
const workshop = mkdtempSync(join(tmpdir(), "install-"));
try {
  const { files } = await bundleProvider({ version, components: [bunLicense()] });
  makeExecutable(platform, files, join(workshop, file));
  for (const host of hosts) {
    const folder = folderOf(host);
    // A running program cannot be overwritten, but it can be removed.
    const isReplaced = existsSync(join(folder, file));
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    copyFileSync(join(workshop, file), join(folder, file));
    say(`installed ${join(folder, file)}`);
    isUpgrade ||= isReplaced;
  }
  if (isUpgrade) say("where the earlier build was initialized: rm .terraform.lock.hcl, then init again");
  offerCommand(join(folderOf(hosts[0]), file));
} finally {
  rmSync(workshop, { recursive: true, force: true });
}
