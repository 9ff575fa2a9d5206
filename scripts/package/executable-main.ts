/**
 * The main script of the executable. Node 24 runs a CommonJS script there, without files to import from; the parts of
 * the provider are assets, compiled on demand, so that a start only costs what it uses. The code that V8 compiles from
 * them is cached in the user's cache folder (decision 014): Terraform starts a provider three times in each plan.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { getAsset } from "node:sea";
import { Script } from "node:vm";

type Part = (require: typeof load, module: { exports: unknown }, exports: unknown) => void;

const loaded = new Map<string, { exports: unknown }>();
const scripts = new Map<string, Script>();
const cacheFolder = placeOfCache();
/** Whether a part was used that is not in the cache. */
let isMore = false;

function load(name: string): unknown {
  if (!name.startsWith("./")) return builtIn(name);
  const known = loaded.get(name);
  if (known) return known.exports;
  const module = { exports: {} };
  loaded.set(name, module);
  compile(name.slice("./".length))(load, module, module.exports);
  return module.exports;
}

function compile(name: string): Part {
  const text = `(function (require, module, exports) {${getAsset(name, "utf8")}\n})`;
  const cachedData = readCache(name);
  const script = new Script(text, { filename: name, ...(cachedData && { cachedData }) });
  // V8 refuses the cache of another version or of other flags.
  isMore ||= cachedData === undefined || script.cachedDataRejected === true;
  scripts.set(name, script);
  return script.runInThisContext() as Part;
}

function builtIn(name: string): unknown {
  const found: unknown = process.getBuiltinModule(name);
  if (found === undefined) throw new Error(`${name} is neither part of this program nor of Node`);
  return found;
}

/** Null: no cache, according to Node's variable for that. A build never uses the cache of another. */
function placeOfCache(): string | null {
  const { NODE_DISABLE_COMPILE_CACHE: isOff, XDG_CACHE_HOME: xdg, LOCALAPPDATA: windows } = process.env;
  if (isOff) return null;
  try {
    const home = xdg || (process.platform === "win32" && windows) || join(homedir(), ".cache");
    return join(home, "terraform-provider-proxmox", "compiled", `${getAsset("build", "utf8")}-${process.arch}`);
  } catch {
    return null; // There is no home folder.
  }
}

function readCache(name: string): Buffer | undefined {
  try {
    return cacheFolder === null ? undefined : readFileSync(join(cacheFolder, name));
  } catch {
    return undefined;
  }
}

/**
 * Written by a process that has used more of the program than the cache contains, so not after a plan or two. If the
 * folder cannot be written, or the process is killed, the next start compiles again.
 */
function writeCache(): void {
  if (cacheFolder === null || !isMore) return;
  try {
    setHeapGrowth(0);
    mkdirSync(cacheFolder, { recursive: true, mode: 0o700 });
    for (const [name, script] of scripts) {
      const draft = join(cacheFolder, `${name}.${process.pid}`);
      writeFileSync(draft, script.createCachedData(), { mode: 0o600 });
      renameSync(draft, join(cacheFolder, name));
    }
  } catch {
    // The next process will try.
  }
}

/**
 * undici's HTTP parser is one large loop of WebAssembly. After three responses V8 starts its optimising compiler for
 * it, which takes 40 ms of a thread that the end of the process waits for; the plain code is fast enough for any number
 * of responses. All of it must be compiled while the flags are set, and with permanent flags V8 would refuse every code
 * cache.
 */
function keepWasmPlain(): void {
  const flags = ["wasm-tier-up", "wasm-dynamic-tiering", "wasm-lazy-compilation"];
  const assembly = Reflect.get(globalThis, "WebAssembly") as { Module: new (code: Uint8Array) => object };
  assembly.Module = class extends assembly.Module {
    constructor(code: Uint8Array) {
      const { setFlagsFromString } = process.getBuiltinModule("node:v8");
      for (const flag of flags) setFlagsFromString(`--no-${flag}`);
      try {
        super(code);
      } finally {
        for (const flag of flags) setFlagsFromString(`--${flag}`);
      }
    }
  };
}

/** By how many percent the heap may grow between two collections; 0: V8's default. */
function setHeapGrowth(percent: number): void {
  process.getBuiltinModule("node:v8").setFlagsFromString(`--heap-growing-percent=${percent}`);
}

/**
 * A process that still runs after a second has much to do, and should not keep the garbage of a thousand VMs. Not
 * earlier: with this flag, too, V8 refuses code caches.
 */
function growSparingly(): void {
  setTimeout(() => setHeapGrowth(50), 1_000).unref();
}

process.on("exit", writeCache);
keepWasmPlain();
growSparingly();
load("./provider.mjs");
