import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, test } from "vitest";
import { type Binary, findBinaries } from "../../src/cli/terraform-binaries.ts";
import type { PluginBinary } from "../terraform/plugin-binary.ts";
import { processesWith } from "../terraform/processes.ts";
import { Workspace } from "../terraform/workspace.ts";
import { buildCorner } from "./build-corner.ts";
import { cornerAddress } from "./provider/address.ts";
import { Store } from "./provider/store.ts";

export function temporaryFolder(prefix: string): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), prefix));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** A workspace whose provider keeps its objects in a folder the test can look into. */
export class CornerWorkspace extends Workspace {
  readonly store: Store;

  constructor(binary: Binary, plugin: PluginBinary) {
    super(binary, plugin, cornerAddress);
    this.keepsProvider = true;
    this.store = new Store(join(this.folder, "store"), "the test");
    this.env["CORNER_FOLDER"] = this.store.folder;
    this.write(
      "terraform.tf",
      `terraform {\n  required_providers {\n    corner = { source = "${cornerAddress}" }\n  }\n}\n`,
    );
  }

  /** The objects of one kind in the store. */
  stored(kind: string): Record<string, unknown>[] {
    return this.#files(kind).map((path) => JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>);
  }

  /** Changes the only object of a kind without Terraform; null removes it. */
  changeOutside(kind: string, change: object | null): void {
    const [path = ""] = this.#files(kind);
    if (change === null) rmSync(path);
    else writeFileSync(path, JSON.stringify({ ...(JSON.parse(readFileSync(path, "utf8")) as object), ...change }));
  }

  /** What the provider recorded, in order. */
  journal(): string[] {
    return this.has("store/journal.txt") ? this.read("store/journal.txt").trim().split("\n") : [];
  }

  /** Processes of providers that were started for this workspace and still run. */
  providers(): number[] {
    // Only plugins have this variable, whatever runs them.
    return processesWith(this.store.folder, "PLUGIN_PROTOCOL_VERSIONS=");
  }

  #files(kind: string): string[] {
    return readdirSync(this.store.folder)
      .filter((name) => name.startsWith(`${kind}-`) && name.endsWith(".json"))
      .map((name) => join(this.store.folder, name));
  }
}

/** Two things, each with a provider configuration of its own. */
export const twoProviders = `
provider "corner" {
  label = "left"
}
provider "corner" {
  alias = "right"
  label = "right"
}
resource "corner_thing" "a" {
  name = "a"
}
resource "corner_thing" "b" {
  provider = corner.right
  name     = "b"
}
`;

interface Bench {
  binary: Binary;
  /** A new workspace; declare it with `using`. */
  workspace(hcl?: string): CornerWorkspace;
  plugin(): PluginBinary;
}

/** Runs the tests with each installed binary. */
export function describeOnEachBinary(title: string, body: (bench: Bench) => void): void {
  const binaries = findBinaries();
  for (const binary of binaries) {
    describe(`${title} (${binary.name} ${binary.version})`, () => {
      let plugin: PluginBinary;
      beforeAll(async () => {
        plugin = await buildCorner();
      });
      const workspace = (hcl = "") => {
        const made = new CornerWorkspace(binary, plugin);
        made.configure(hcl);
        return made;
      };
      body({ binary, workspace, plugin: () => plugin });
    });
  }
  if (binaries.length === 0) test.skip(`${title}: neither terraform nor tofu is installed`);
}
