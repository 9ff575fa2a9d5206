import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findBinaries } from "../../../src/cli/terraform-binaries.ts";
import { sourceAddress } from "../../../src/source-address.ts";
import { Workspace } from "../../terraform/workspace.ts";
import { buildProvider } from "../cluster-workspace.ts";

type Sections = Record<string, unknown>;
interface ProviderJson {
  format_version: string;
  provider_schemas: Record<string, Sections>;
}

const committed = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../../schema/provider.json"), "utf8"),
) as ProviderJson;

for (const binary of findBinaries()) {
  describe(`schema/provider.json (${binary.name} ${binary.version})`, () => {
    test("is what `providers schema -json` prints", async () => {
      using terraform = new Workspace(binary, await buildProvider(), sourceAddress);
      terraform.configure(`terraform {
  required_providers {
    proxmox = { source = "${sourceAddress}" }
  }
}
`);
      const { stdout } = await terraform.run(["providers", "schema", "-json"]);
      const printed = JSON.parse(stdout) as ProviderJson;
      const [sections = {}] = Object.values(printed.provider_schemas);
      const golden = committed.provider_schemas[sourceAddress] ?? {};
      // Older versions print fewer sections; these two are in all versions.
      expect(Object.keys(sections)).toEqual(expect.arrayContaining(["provider", "resource_schemas"]));
      for (const [section, schemas] of Object.entries(sections)) expect(golden[section], section).toEqual(schemas);
    });
  });
}
