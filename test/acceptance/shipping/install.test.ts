import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Simulator, startSimulator } from "#simulator";
import packageJson from "../../../package.json" with { type: "json" };
import { findBinaries } from "../../../src/cli/terraform-binaries.ts";
import { CleanHome } from "./clean-home.ts";

const { version } = packageJson;
const later = version.replace(/\d+$/, (patch) => String(Number(patch) + 1));

const configuration = `
terraform {
  required_providers {
    proxmox = { source = "proxmox-ts/proxmox" }
  }
}

provider "proxmox" {}

resource "proxmox_vm" "web" {
  name  = "web-1"
  clone = { template = "ubuntu-24.04-cloud" }
}
`;

describe.runIf(findBinaries().length > 0)("a provider installed from this repository", () => {
  const home = new CleanHome();
  let simulator: Simulator;

  beforeAll(async () => {
    simulator = await startSimulator({ speed: 100 });
    home.write("ca.pem", simulator.caCertificate);
    for (const { name } of findBinaries()) home.write(`${name}/main.tf`, configuration);
    home.install();
  });
  afterAll(async () => {
    await simulator.close();
    home[Symbol.dispose]();
  });

  describe.each(findBinaries())("with $name $version", ({ name, path }) => {
    const run = (...args: string[]) => home.run(name, path, [...args, "-no-color"]);

    test("is found by init, without a registry and without a configuration file", async () => {
      const { code, output } = await run("init");
      expect(output).toContain(`Installed proxmox-ts/proxmox v${version} (unauthenticated)`);
      expect(code).toBe(0);
      expect(home.read(`${name}/.terraform.lock.hcl`)).toMatch(/proxmox-ts\/proxmox" \{\n {2}version = .*"h1:.+="/s);
    });

    test("has the checksums that `providers lock` finds where it is installed", async () => {
      const { code, output } = await run("providers", "lock", `-fs-mirror=${home.folder}/.terraform.d/plugins`);
      expect(output).toContain("already tracked in the lock file");
      expect(code).toBe(0);
    });

    test("plans a VM, whatever NODE_OPTIONS says", async () => {
      const { code, output } = await home.run(name, path, ["plan", "-no-color", "-input=false"], {
        NODE_OPTIONS: "--no-such-option",
        PROXMOX_VE_ENDPOINT: simulator.url,
        PROXMOX_VE_API_TOKEN: simulator.tokens["terraform@pve!tf"] ?? "",
        PROXMOX_VE_CA_CERTIFICATE: `${home.folder}/ca.pem`,
      });
      expect(output).toContain("proxmox_vm.web will be created");
      expect(code).toBe(0);
    });
  });

  describe("when a later one is there", () => {
    beforeAll(() => home.install("--as", later));

    test.each(findBinaries())(
      "$name goes on with the one in its lock file until it is told to upgrade",
      async (binary) => {
        const run = (...args: string[]) => home.run(binary.name, binary.path, [...args, "-no-color"]);
        expect((await run("init")).output).toContain(`Using previously-installed proxmox-ts/proxmox v${version}`);
        expect((await run("init", "-upgrade")).output).toContain(`Installed proxmox-ts/proxmox v${later}`);
        expect(home.read(`${binary.name}/.terraform.lock.hcl`)).toMatch(new RegExp(`version += "${later}"`));
        const { code, output } = await run("version");
        expect(output).toContain(`proxmox-ts/proxmox v${later}`);
        expect(code).toBe(0);
      },
    );
  });
});
