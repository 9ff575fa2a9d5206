import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Simulator, startSimulator } from "#simulator";
import { findBinaries } from "../../../src/cli/terraform-binaries.ts";
import { sourceAddress } from "../../../src/source-address.ts";
import type { PluginBinary } from "../../terraform/plugin-binary.ts";
import { buildProvider, clusterWorkspace } from "../cluster-workspace.ts";

const type = "proxmox_tfa";
const example = join(import.meta.dirname, `../../../examples/resources/${type}/resource.tf`);

const login = `
ephemeral "proxmox_ticket" "root" {
  lifecycle {
    postcondition {
      condition     = startswith(self.ticket, "PVE:root@pam:")
      error_message = "Not a ticket of root@pam."
    }
  }
}
`;

const providerOf = (endpoint: string, token: string) => `
terraform {
  required_providers {
    proxmox = { source = "${sourceAddress}" }
  }
}
provider "proxmox" {
  endpoint       = "${endpoint}"
  api_token      = "${token}"
  username       = "root@pam"
  password       = "proxmox"
  ca_certificate = file("ca.pem")
}
`;

for (const binary of findBinaries()) {
  describe(`second factors and tickets (${binary.name} ${binary.version})`, () => {
    let plugin: PluginBinary;
    let simulator: Simulator;

    beforeAll(async () => {
      plugin = await buildProvider();
      simulator = await startSimulator({ speed: 100 });
    });
    afterAll(() => simulator.close());

    test("are added with the password of root@pam beside a token, planned again and removed", async () => {
      using terraform = clusterWorkspace(binary, plugin, simulator);
      const { url, tokens } = simulator;
      terraform.write("provider.tf", providerOf(url, tokens["root@pam!admin"] ?? ""));
      terraform.write("main.tf", `${readFileSync(example, "utf8")}${login}`);
      expect((await terraform.apply()).diagnostics).toEqual([]);
      const { users } = simulator.sim.world.access;
      expect(users["ops-2fa@pve"]?.tfa).toMatchObject([{ type: "totp", description: "authenticator app" }]);
      expect(await terraform.plan()).toMatchObject({ code: 0, changes: {} });
      expect((await terraform.destroy()).diagnostics).toEqual([]);
      expect(users["ops-2fa@pve"]).toBeUndefined();
    });
  });
}
