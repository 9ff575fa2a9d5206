/**
 * The main script of the executable. Node 24 runs a CommonJS script there, without files to import from; the parts of the
 * provider are assets, compiled when they are asked for, so that a start costs what it uses.
 */
import { getAsset } from "node:sea";
import { compileFunction } from "node:vm";

type Part = (require: typeof load, module: { exports: unknown }, exports: unknown) => void;

const loaded = new Map<string, { exports: unknown }>();

function load(name: string): unknown {
  if (!name.startsWith("./")) return builtIn(name);
  const known = loaded.get(name);
  if (known) return known.exports;
  const module = { exports: {} };
  loaded.set(name, module);
  const text = getAsset(name.slice("./".length), "utf8");
  const part = compileFunction(text, ["require", "module", "exports"], { filename: name }) as Part;
  part(load, module, module.exports);
  return module.exports;
}

function builtIn(name: string): unknown {
  const found: unknown = process.getBuiltinModule(name);
  if (found === undefined) throw new Error(`${name} is neither part of this program nor of Node`);
  return found;
}

load("./provider.mjs");
