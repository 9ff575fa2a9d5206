/**
 * `npm run setup:tofu`: builds OpenTofu from the Go module proxy into the cache folder, where the tests and the demo
 * search for it. `go install` refuses a module whose go.mod has a `replace`, so the module is copied from the module
 * cache and built as the main module.
 */
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { openTofuBinary, openTofuVersion } from "../src/cli/terraform-binaries.ts";

const say = (line: string) => process.stderr.write(`${line}\n`);

function downloadModule(): string {
  const module = `github.com/opentofu/opentofu@v${openTofuVersion}`;
  const answer = execFileSync("go", ["mod", "download", "-json", module], { encoding: "utf8", cwd: tmpdir() });
  return (JSON.parse(answer) as { Dir: string }).Dir;
}

/** The module cache is read-only, and such a build folder could not be removed afterwards. */
function copyWritable(from: string, to: string): void {
  cpSync(from, to, { recursive: true });
  for (const entry of readdirSync(to, { withFileTypes: true, recursive: true })) {
    if (entry.isDirectory()) chmodSync(join(entry.parentPath, entry.name), 0o755);
  }
  chmodSync(to, 0o755);
}

function build(): void {
  const target = openTofuBinary();
  const workshop = mkdtempSync(join(tmpdir(), "opentofu-build-"));
  try {
    const source = join(workshop, "source");
    copyWritable(downloadModule(), source);
    say(`building OpenTofu ${openTofuVersion}; this takes some minutes`);
    const built = join(workshop, "tofu");
    const stamp = `-X github.com/opentofu/opentofu/version.dev=no`;
    execFileSync("nice", ["-n", "10", "go", "build", "-ldflags", `-s -w ${stamp}`, "-o", built, "./cmd/tofu"], {
      cwd: source,
      stdio: ["ignore", "inherit", "inherit"],
      env: { ...process.env, CGO_ENABLED: "0" },
    });
    mkdirSync(dirname(target), { recursive: true });
    cpSync(built, `${target}.new`);
    renameSync(`${target}.new`, target);
  } finally {
    rmSync(workshop, { recursive: true, force: true });
  }
}

if (existsSync(openTofuBinary())) {
  say(`OpenTofu ${openTofuVersion} is there already: ${openTofuBinary()}`);
} else {
  try {
    execFileSync("go", ["version"], { stdio: "ignore" });
  } catch {
    say(
      "Go is not on PATH. Install it from https://go.dev/dl/, or OpenTofu itself from https://opentofu.org/docs/intro/install/.",
    );
    process.exit(1);
  }
  build();
  say(`built ${openTofuBinary()}`);
}
