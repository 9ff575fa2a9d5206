import { execFileSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { basename, delimiter, join } from "node:path";
import { cacheFolder } from "./cache-folder.ts";

/** A command-line tool that uses providers, and its version. */
export interface Binary {
  name: "terraform" | "tofu";
  path: string;
  version: string;
}

export const openTofuVersion = "1.12.6";

/** The folder of `npm run setup:tofu`. */
export function openTofuBinary(): string {
  return join(cacheFolder(`opentofu-${openTofuVersion}`), "tofu");
}

export const howToGetOne = [
  "Neither `terraform` nor `tofu` was found on PATH. One of them is required:",
  "  - Terraform: https://developer.hashicorp.com/terraform/install",
  "  - OpenTofu:  https://opentofu.org/docs/intro/install/",
  "  - with Go installed, `npm run setup:tofu` builds OpenTofu into a cache folder (about five minutes).",
].join("\n");

/** Names further executables, separated as in PATH: another version of either tool. */
export const furtherBinaries = "TERRAFORM_BINARIES";

/**
 * Every usable binary: `terraform` on PATH, `tofu` on PATH or built by `npm run setup:tofu`, and those that the
 * environment names.
 */
export function findBinaries(): Binary[] {
  const candidates: [Binary["name"], string | undefined][] = [
    ["terraform", onPath("terraform")],
    ["tofu", onPath("tofu") ?? (existsSync(openTofuBinary()) ? openTofuBinary() : undefined)],
    ...pathsIn(process.env[furtherBinaries]).map((path): [Binary["name"], string] => [kindOf(path), path]),
  ];
  return candidates.flatMap(([name, path]) => (path ? [{ name, path, version: versionOf(path) }] : []));
}

const pathsIn = (list = ""): string[] => list.split(delimiter).filter(Boolean);

const kindOf = (path: string): Binary["name"] => (basename(path).includes("tofu") ? "tofu" : "terraform");

/** Whether the binary is at least that version of its own kind; a kind that is not listed never had the feature. */
export function isAtLeast(binary: Binary, wanted: Partial<Record<Binary["name"], string>>): boolean {
  const minimum = wanted[binary.name];
  if (!minimum) return false;
  return binary.version.localeCompare(minimum, "en", { numeric: true }) >= 0;
}

/** A CLI configuration that makes Terraform use the provider in a folder, without installing it. */
export function devOverrides(address: string, folder: string): string {
  return [
    "provider_installation {",
    "  dev_overrides {",
    `    ${JSON.stringify(address)} = ${JSON.stringify(folder)}`,
    "  }",
    "  direct {}",
    "}",
    "",
  ].join("\n");
}

function onPath(name: string): string | undefined {
  return pathsIn(process.env["PATH"])
    .map((folder) => join(folder, name))
    .find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** By path: each look starts the executable. */
const versions = new Map<string, string>();

function versionOf(path: string): string {
  const version = versions.get(path) ?? askVersion(path);
  versions.set(path, version);
  return version;
}

function askVersion(path: string): string {
  const answer = execFileSync(path, ["version", "-json"], {
    encoding: "utf8",
    env: { ...process.env, CHECKPOINT_DISABLE: "1", TF_CLI_CONFIG_FILE: "" },
    stdio: ["ignore", "pipe", "ignore"],
  });
  return (JSON.parse(answer) as { terraform_version: string }).terraform_version;
}
