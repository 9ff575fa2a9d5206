import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { get } from "node:https";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Simulator, startSimulator } from "#simulator";
import packageJson from "../../../package.json" with { type: "json" };
import { type Binary, findBinaries } from "../../../src/cli/terraform-binaries.ts";
import { CleanHome } from "./clean-home.ts";

const { version } = packageJson;
const later = version.replace(/\d+$/, (patch) => String(Number(patch) + 1));

/** The folder for that binary: each has a lock file of its own. */
const folderOf = ({ name, version: of }: Binary) => `${name}-${of}`;

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
  let installed = "";

  beforeAll(async () => {
    simulator = await startSimulator({ speed: 100 });
    home.write("ca.pem", simulator.caCertificate);
    for (const binary of findBinaries()) home.write(`${folderOf(binary)}/main.tf`, configuration);
    installed = home.install();
  });
  afterAll(async () => {
    await simulator.close();
    home[Symbol.dispose]();
  });

  test("is the command of the guides, once its folder is on the PATH", async () => {
    expect(installed).toContain(`installed ${home.folder}/.local/bin/terraform-provider-proxmox`);
    expect(installed).toContain('export PATH="$HOME/.local/bin:$PATH"');
    const env = { PATH: `${home.folder}/.local/bin:${process.env["PATH"]}` };
    const { code, output } = await home.run(".", "terraform-provider-proxmox", ["--version"], env);
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining(version) });
  });

  test("simulates a cluster whose page and faults are for this machine", async () => {
    const command = `${home.folder}/.local/bin/terraform-provider-proxmox`;
    const child = spawn(command, ["simulate", "--port", "0", "--json"], { stdio: ["ignore", "pipe", "inherit"] });
    try {
      const [line] = (await once(child.stdout, "data")) as [Buffer];
      const { url, ca_file } = JSON.parse(String(line)) as { url: string; ca_file: string };
      const code = await new Promise((resolve, reject) =>
        get(`${url}/simulator/faults`, { ca: readFileSync(ca_file) }, ({ statusCode }) => resolve(statusCode)).on(
          "error",
          reject,
        ),
      );
      expect(code).toBe(200);
    } finally {
      child.kill();
    }
  });

  describe.each(findBinaries())("with $name $version", (binary) => {
    const [folder, { path }] = [folderOf(binary), binary];
    const run = (...args: string[]) => home.run(folder, path, [...args, "-no-color"]);

    test("is found by init, without a registry and without a configuration file", async () => {
      const { code, output } = await run("init");
      expect(output).toContain(`Installed proxmox-ts/proxmox v${version} (unauthenticated)`);
      expect(code).toBe(0);
      expect(home.read(`${folder}/.terraform.lock.hcl`)).toMatch(/proxmox-ts\/proxmox" \{\n {2}version = .*"h1:.+="/s);
    });

    test("has the checksums that `providers lock` computes", async () => {
      const { code, output } = await run("providers", "lock", `-fs-mirror=${home.folder}/.terraform.d/plugins`);
      expect(output).toContain("already tracked in the lock file");
      expect(code).toBe(0);
    });

    test("plans a VM, whatever NODE_OPTIONS says", async () => {
      const { code, output } = await home.run(folder, path, ["plan", "-no-color", "-input=false"], {
        NODE_OPTIONS: "--no-such-option",
        PROXMOX_VE_ENDPOINT: simulator.url,
        PROXMOX_VE_API_TOKEN: simulator.tokens["terraform@pve!tf"] ?? "",
        PROXMOX_VE_CA_CERTIFICATE: `${home.folder}/ca.pem`,
      });
      expect(output).toContain("proxmox_vm.web will be created");
      expect(code).toBe(0);
    });
  });

  describe("with a later version installed", () => {
    beforeAll(() => home.install("--as", later));

    test.each(findBinaries())(
      "$name uses the version in its lock file until an upgrade is requested",
      async (binary) => {
        const run = (...args: string[]) => home.run(folderOf(binary), binary.path, [...args, "-no-color"]);
        expect((await run("init")).output).toContain(`Using previously-installed proxmox-ts/proxmox v${version}`);
        expect((await run("init", "-upgrade")).output).toContain(`Installed proxmox-ts/proxmox v${later}`);
        expect(home.read(`${folderOf(binary)}/.terraform.lock.hcl`)).toMatch(new RegExp(`version += "${later}"`));
        const { code, output } = await run("version");
        expect(output).toContain(`proxmox-ts/proxmox v${later}`);
        expect(code).toBe(0);
      },
    );
  });
});
