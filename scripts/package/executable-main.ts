/**
 * The main script of the executable. Node 24 runs a CommonJS script there, without files to import from; the parts of the
 * provider are assets, compiled when they are asked for, so that a start costs what it uses. What V8 has made of them is
 * kept in the user's cache folder (decision 014): Terraform starts a provider three times in each plan.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { getAsset } from "node:sea";
import { deserialize, serialize } from "node:v8";
import { Script } from "node:vm";

type Part = (require: typeof load, module: { exports: unknown }, exports: unknown) => void;
type Compiled = Readonly<Record<string, Buffer>>;

const loaded = new Map<string, { exports: unknown }>();
const scripts = new Map<string, Script>();
const cacheFile = placeOfCache();
const compiled = readCache();

function load(name: string): unknown {
  if (!name.startsWith("./")) return builtIn(name);
  const known = loaded.get(name);
  if (known) return known.exports;
  const module = { exports: {} };
  loaded.set(name, module);
  compile(name)(load, module, module.exports);
  return module.exports;
}

function compile(name: string): Part {
  const text = `(function (require, module, exports) {${getAsset(name.slice("./".length), "utf8")}\n})`;
  const cachedData = compiled[name];
  const script = new Script(text, { filename: name, ...(cachedData && { cachedData }) });
  scripts.set(name, script);
  return script.runInThisContext() as Part;
}

function builtIn(name: string): unknown {
  const found: unknown = process.getBuiltinModule(name);
  if (found === undefined) throw new Error(`${name} is neither part of this program nor of Node`);
  return found;
}

/** Null: there is to be none, by the variable that Node has for that. A build never takes another's for its own. */
function placeOfCache(): string | null {
  const { NODE_DISABLE_COMPILE_CACHE: isOff, XDG_CACHE_HOME: xdg, LOCALAPPDATA: windows } = process.env;
  if (isOff) return null;
  try {
    const home = xdg || (process.platform === "win32" && windows) || join(homedir(), ".cache");
    return join(home, "terraform-provider-proxmox", "compiled", `${getAsset("build", "utf8")}-${process.arch}`);
  } catch {
    return null; // Nobody's home.
  }
}

/** V8 itself refuses what another version or other flags have made. */
function readCache(): Compiled {
  try {
    return cacheFile === null ? {} : (deserialize(readFileSync(cacheFile)) as Compiled);
  } catch {
    return {};
  }
}

/**
 * Written by who has used more of the program than whoever wrote it last, so after a plan or two by nobody any more. A
 * folder that cannot be written, or a process that is killed, costs the next start what it costs today.
 */
function writeCache(): void {
  const isMore = [...scripts.keys()].some((name) => !Object.hasOwn(compiled, name));
  if (cacheFile === null || !isMore) return;
  try {
    const own = [...scripts].map(([name, script]) => [name, script.createCachedData()] as const);
    mkdirSync(join(cacheFile, ".."), { recursive: true, mode: 0o700 });
    const draft = `${cacheFile}.${process.pid}`;
    writeFileSync(draft, serialize({ ...compiled, ...Object.fromEntries(own) }), { mode: 0o600 });
    renameSync(draft, cacheFile);
  } catch {
    // The next one will try.
  }
}

process.on("exit", writeCache);
load("./provider.mjs");
