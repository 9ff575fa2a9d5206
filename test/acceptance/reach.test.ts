import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Simulator, startSimulator } from "#simulator";
import { findBinaries } from "../../src/cli/terraform-binaries.ts";
import { sourceAddress } from "../../src/source-address.ts";
import type { PluginBinary } from "../terraform/plugin-binary.ts";
import { Workspace } from "../terraform/workspace.ts";
import { buildProvider } from "./cluster-workspace.ts";

const closedPort = "https://127.0.0.1:9";

/** A plan that cannot reach the cluster reports it once, for any number of resources. */
for (const binary of findBinaries()) {
  describe(`a cluster that cannot be used (${binary.name} ${binary.version})`, () => {
    let plugin: PluginBinary;
    let simulator: Simulator;
    let terraform: Workspace;

    beforeAll(async () => {
      plugin = await buildProvider();
      simulator = await startSimulator({ speed: 100 });
    });
    beforeEach(() => {
      simulator.reset();
      terraform = new Workspace(binary, plugin, sourceAddress);
      terraform.keepsProvider = true;
      terraform.write("ca.pem", simulator.caCertificate);
      terraform.configure(
        `resource "proxmox_vm" "web" {\n  count = 200\n  name = "web-\${count.index}"\n  clone = { template = "ubuntu-24.04-cloud" }\n}\nresource "proxmox_pool" "web" {\n  id = "web"\n}\n`,
      );
      return () => terraform[Symbol.dispose]();
    });
    afterAll(() => simulator.close());

    const settings = () => ({
      endpoint: JSON.stringify(simulator.url),
      api_token: JSON.stringify(simulator.tokens["root@pam!admin"]),
      ca_certificate: 'file("ca.pem")',
    });
    const provide = (more: Record<string, string>) => {
      const lines = Object.entries({ ...settings(), ...more }).flatMap(([name, value]) =>
        value === "" ? [] : [`  ${name} = ${value}`],
      );
      terraform.write(
        "provider.tf",
        `terraform {\n  required_providers {\n    proxmox = { source = "${sourceAddress}" }\n  }\n}\nprovider "proxmox" {\n${lines.join("\n")}\n}\n`,
      );
    };
    const planText = (...args: string[]) => terraform.run(["plan", "-no-color", "-input=false", ...args]);
    const requests = () => {
      const { calls } = simulator.sim.log.summary() as { calls: { count: number }[] };
      return calls.reduce((sum, { count }) => sum + count, 0);
    };

    test.each<[string, () => Record<string, string>, string, string[]]>([
      [
        "a closed port",
        () => ({ endpoint: `"${closedPort}"` }),
        "Cluster cannot be reached",
        ["the connection was refused", "doctor"],
      ],
      ["no authority", () => ({ ca_certificate: "" }), "Certificate is not trusted", ["/etc/pve/pve-root-ca.pem"]],
      [
        "another pinned fingerprint",
        () => ({ ca_certificate: "", tls_fingerprint: `"${"00:".repeat(31)}00"` }),
        "Another certificate than the pinned one",
        ["pvenode cert info"],
      ],
      [
        "a mistyped token",
        () => ({ api_token: '"root@pam!admin=00000000-0000-0000-0000-000000000000"' }),
        "Login refused",
        ["root@pam!admin may be mistyped"],
      ],
      [
        "a wrong password",
        () => ({ api_token: "", username: '"root@pam"', password: '"wrong-password"' }),
        "Login refused",
        ["`username`, its realm and `password`"],
      ],
    ])("%s is one error for 201 resources, with its solution", async (_, more, summary, cures) => {
      provide(more());
      const { code, stderr, stdout } = await planText();
      const said = stderr.replaceAll(/\n│ ?/g, " ").replaceAll(/\s+/g, " ");
      expect(code).toBe(1);
      expect(stdout).not.toContain("to add");
      expect(stderr.match(/Error: /g)).toHaveLength(1);
      expect(stderr.split("\n").length).toBeLessThan(30);
      expect(said).toContain(summary);
      for (const cure of [...cures, 'plan_checks = "off"', "PROXMOX_VE_PLAN_CHECKS"]) expect(said).toContain(cure);
    });

    test("without a provider block, the error says that Terraform's own beside it is a consequence", async () => {
      terraform.write(
        "provider.tf",
        `terraform {\n  required_providers {\n    proxmox = { source = "${sourceAddress}" }\n  }\n}\n`,
      );
      Object.assign(terraform.env, { PROXMOX_VE_ENDPOINT: closedPort, PROXMOX_VE_API_TOKEN: "root@pam!admin=x" });
      const { code, stderr } = await planText();
      const said = stderr.replaceAll(/\n│ ?/g, " ").replaceAll(/\s+/g, " ");
      expect(code).toBe(1);
      expect(stderr.match(/Error: /g)?.length).toBeLessThanOrEqual(2);
      expect(said).toContain("The block is not needed.");
    });

    test('`plan_checks = "off"` plans new resources without any request', async () => {
      provide({ plan_checks: '"off"' });
      const before = requests();
      const { code, stdout } = await planText("-detailed-exitcode");
      expect(code).toBe(2);
      expect(stdout).toContain("201 to add");
      expect(requests()).toBe(before);
    });

    test("so does the environment, also for changes and destruction of existing objects", async () => {
      const pool = (comment: string) => `resource "proxmox_pool" "web" {\n  id = "web"\n  comment = "${comment}"\n}\n`;
      provide({});
      terraform.configure(pool("before"));
      expect((await terraform.apply()).code).toBe(0);
      provide({ endpoint: `"${closedPort}"` });
      terraform.configure(pool("after"));
      expect((await planText("-refresh=false")).code).toBe(1);
      terraform.env["PROXMOX_VE_PLAN_CHECKS"] = "off";
      expect((await planText("-refresh=false", "-detailed-exitcode")).code).toBe(2);
      expect((await planText("-refresh=false", "-destroy", "-detailed-exitcode")).code).toBe(2);
    });

    test("a refresh without the cluster is also one error, with a count", async () => {
      provide({});
      terraform.configure(`resource "proxmox_pool" "web" {\n  count = 60\n  id = "web-\${count.index}"\n}\n`);
      expect((await terraform.apply()).code).toBe(0);
      provide({ endpoint: `"${closedPort}"`, plan_checks: '"off"' });
      const { code, stderr } = await planText();
      expect(code).toBe(1);
      expect(stderr.match(/Error: /g)).toHaveLength(1);
      expect(stderr).toMatch(/Unable to read pool "web-\d+"/);
      expect(stderr).toMatch(/\d+ more resources could not be read for the same reason\./);
      expect(stderr).toContain("-refresh=false");
      expect(stderr.split("\n").length).toBeLessThan(30);
    });

    test("an apply of a plan without checks works, and checks then", async () => {
      provide({ plan_checks: '"off"' });
      terraform.configure(
        `resource "proxmox_pool" "web" {\n  id = "web"\n}\nresource "proxmox_vm" "web" {\n  name = "web"\n  pool = proxmox_pool.web.id\n  clone = { template = "ubuntu-24.04-cloud" }\n  memory = { size = "2G" }\n}\n`,
      );
      const { code, diagnostics } = await terraform.apply();
      expect(diagnostics).toEqual([]);
      expect(code).toBe(0);
      expect((await terraform.plan()).code).toBe(0);
    });
  });
}
