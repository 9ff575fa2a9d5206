/**
 * `npm run package [-- linux_amd64 windows …]`: one stand-alone executable per platform, with the files that the
 * Terraform Registry requires of a release, in `dist/package`. Without names: every platform. `--lock 1.2.3` changes to
 * that version of Bun on all platforms; `--keep` leaves the executables next to their zip files.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import packageJson from "../package.json" with { type: "json" };
import type { Bundle } from "./bundle.ts";
import { bunLicense, lockRelease } from "./package/bun-release.ts";
import { makeExecutable } from "./package/executable.ts";
import { nameOf, type Platform, platformNamed, platforms } from "./package/platform.ts";
import { executableFile, manifest, manifestFile, sbomFile, sumsFile, zipFile } from "./package/release-files.ts";
import { sbom } from "./package/sbom.ts";
import { zip } from "./package/zip.ts";
import { bundleProvider } from "./provider-bundle.ts";

/** `terraform init` downloads one in each run of a CI job. */
const largestZip = 60_000_000;

const say = (line: string) => process.stderr.write(`${line}\n`);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { lock: { type: "string" }, out: { type: "string" }, keep: { type: "boolean" } },
});

if (values.lock !== undefined) lockRelease(values.lock);
else await packageAll(positionals.length > 0 ? positionals.flatMap(platformsOf) : platforms);

/** The platform of that name, or all platforms of an operating system. */
function platformsOf(name: string): readonly Platform[] {
  const ofSystem = platforms.filter(({ os }) => os === name);
  return ofSystem.length > 0 ? ofSystem : [platformNamed(name)];
}

async function packageAll(wanted: readonly Platform[]): Promise<void> {
  const { version } = packageJson;
  const out = values.out ?? join(import.meta.dirname, "../dist/package");
  const bundled = await bundleProvider({ components: [bunLicense()] });
  const files = new Map<string, Uint8Array>([
    [manifestFile(version), Buffer.from(manifest)],
    [sbomFile(version), Buffer.from(sbom(bundled.contents))],
  ]);
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  for (const platform of wanted) {
    const name = executableFile(version, platform);
    files.set(zipFile(version, platform), await fittingZip(platform, bundled.files, join(out, name)));
    if (!values.keep) rmSync(join(out, name));
  }
  const sums = [...files.keys()].sort().map((name) => `${sha256(files.get(name) ?? Buffer.alloc(0))}  ${name}\n`);
  files.set(sumsFile(version), Buffer.from(sums.join("")));
  for (const [name, contents] of files) writeFileSync(join(out, name), contents);
  say(`${files.size} files in ${out}`);
}

/** The executable with as much compiled code as fits into the limit, in a zip file. */
async function fittingZip(platform: Platform, parts: Bundle, draft: string): Promise<Buffer> {
  for (const compiled of ["all", "outer", "none"] as const) {
    makeExecutable(platform, parts, draft, compiled);
    const file = await zip([{ name: basename(draft), contents: readFileSync(draft), mode: 0o755 }]);
    if (file.length > largestZip) continue;
    const size = (file.length / 1_000_000).toFixed(1);
    say(`made ${zipFile(packageJson.version, platform)}: ${size} MB, compiled functions: ${compiled}`);
    return file;
  }
  throw new Error(`the zip file for ${nameOf(platform)} is larger than ${largestZip / 1_000_000} MB`);
}

function sha256(contents: Uint8Array): string {
  return createHash("sha256").update(contents).digest("hex");
}
