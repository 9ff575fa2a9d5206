/**
 * `npm run create-provider -- NAME [FOLDER]`: a repository for a Terraform provider of your own, from `examples/your-own-provider`, with
 * the framework as a file in `vendor`. Without a folder it is made where the command was typed, and beside this repository if that
 * was here. `--package FILE` takes that file instead of building it.
 */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";

const root = join(import.meta.dirname, "..");
const template = join(root, "examples/your-own-provider");

/** The name of the example, which is replaced everywhere, file names included. */
const exampleName = /shelf/gi;

const inCaseOf = (found: string, name: string): string => {
  if (found === found.toUpperCase()) return name.toUpperCase();
  return found.startsWith("S") ? `${name.slice(0, 1).toUpperCase()}${name.slice(1)}` : name;
};

function refuse(problem: string): never {
  process.stderr.write(`${problem}\nUsage: npm run create-provider -- NAME [FOLDER]\n`);
  process.exit(1);
}

const { positionals, values } = readArguments();
const [name = "", place] = positionals;
if (!/^[a-z][a-z0-9]{1,30}$/.test(name)) {
  refuse(
    `A name of 2 to 31 lower-case letters and digits is required, such as "shelf", and not ${JSON.stringify(name)}.`,
  );
}
const files = readdirSync(template, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(template, join(entry.parentPath, entry.name)))
  .filter((path) => !/^(node_modules|dist|vendor)(\/|$)/.test(path));
const texts = new Map(files.map((path) => [path, readFileSync(join(template, path), "utf8")]));
const isTaken = (text: string) => new RegExp(`(?<![a-z])${name}(?![a-z])`, "i").test(text);
if (!name.includes("shelf") && [...texts.values()].some(isTaken))
  refuse(`The example uses the word "${name}" for something else: choose another name.`);
// npm runs scripts at the top of the repository; the reader is somewhere else, or here, where it does not belong.
const started = process.env["INIT_CWD"] ?? process.cwd();
const base = `${started}/`.startsWith(`${root}/`) ? dirname(root) : started;
const folder = place === undefined ? join(base, `terraform-provider-${name}`) : resolve(started, place);
if (existsSync(folder) && readdirSync(folder).length > 0) refuse(`${folder} is not empty.`);

const framework = values.package ?? packFramework();
const renamed = (text: string) => text.replaceAll(exampleName, (found) => inCaseOf(found, name));
for (const [path, text] of texts) {
  const target = join(folder, renamed(path));
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, renamed(text));
}

const packed = join(folder, "vendor/terraform-provider-proxmox.tgz");
mkdirSync(dirname(packed), { recursive: true });
cpSync(framework, packed);
process.stdout.write(`${folder} is ready. Next:\n\n  cd ${folder}\n  npm install\n  npm test\n`);

function readArguments() {
  try {
    return parseArgs({ allowPositionals: true, options: { package: { type: "string" } } });
  } catch (thrown) {
    return refuse((thrown as Error).message);
  }
}

function packFramework(): string {
  const built = mkdtempSync(join(tmpdir(), "framework-"));
  process.on("exit", () => rmSync(built, { recursive: true, force: true }));
  const npm = join(built, "npm");
  execFileSync(process.execPath, [join(root, "scripts/build-npm.ts"), npm], { stdio: ["ignore", "ignore", "inherit"] });
  execFileSync("npm", ["pack", "--silent", `--pack-destination=${built}`, npm], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  return join(built, readdirSync(built).find((file) => file.endsWith(".tgz")) ?? "");
}
