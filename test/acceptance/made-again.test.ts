import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Simulator, startSimulator } from "#simulator";
import { findBinaries } from "../../src/cli/terraform-binaries.ts";
import type { PluginBinary } from "../terraform/plugin-binary.ts";
import type { Outcome, Workspace } from "../terraform/workspace.ts";
import { buildProvider, clusterWorkspace } from "./cluster-workspace.ts";

/** Objects of which the cluster has one of each name, whichever resource of Terraform creates it. */
const objects = {
  proxmox_role: 'id = "again"\n  privileges = ["VM.Audit"]',
  proxmox_storage: 'id = "again"\n  dir = { path = "/srv/again" }\n  content = ["iso"]',
  proxmox_sdn_zone: 'id = "again"\n  simple = {}',
  proxmox_sdn_vnet: 'id = "againnet"\n  zone = "again"',
  proxmox_firewall_alias: 'name = "Again"\n  cidr = "192.0.2.0/24"',
  proxmox_firewall_ipset: 'name = "again"',
  proxmox_token: 'user = "terraform@pve"\n  name = "again"',
};
const types = Object.keys(objects);

const said = ({ diagnostics }: Outcome) => diagnostics.map(({ summary, detail }) => `${summary}: ${detail}`).join("\n");
const block = (type: string, name: string, body: string) => `resource "${type}" "${name}" {\n  ${body}\n}\n`;

for (const binary of findBinaries()) {
  describe(`objects that are made again (${binary.name} ${binary.version})`, () => {
    let plugin: PluginBinary;
    let simulator: Simulator;
    let terraform: Workspace;

    beforeAll(async () => {
      plugin = await buildProvider();
      simulator = await startSimulator({ speed: 100 });
    });
    beforeEach(() => {
      simulator.reset();
      terraform = clusterWorkspace(binary, plugin, simulator);
      return () => terraform[Symbol.dispose]();
    });
    afterAll(() => simulator.close());

    const sdn = () => simulator.sim.world.sdn;
    /** The vnet after its zone, as a reference would have it. */
    const named = (name: string) =>
      Object.entries(objects)
        .map(([type, body]) => {
          const zone = type === "proxmox_sdn_vnet" ? `\n  depends_on = [proxmox_sdn_zone.${name}]` : "";
          return block(type, name, `${body}${zone}`);
        })
        .join("\n");

    test("tainted, they are replaced, also without a refresh", async () => {
      terraform.configure(named("one"));
      expect(said(await terraform.apply())).toBe("");
      for (const options of [["-refresh=false"], []]) {
        for (const type of types) expect((await terraform.run(["taint", `${type}.one`])).code).toBe(0);
        expect(said(await terraform.apply(...options))).toBe("");
        expect(Object.keys(sdn().running.vnets)).toEqual(["againnet"]);
        expect((await terraform.plan()).code).toBe(0);
      }
    });

    test("renamed without `moved`, they are refused in the plan, whichever resource is planned first", async () => {
      terraform.configure(named("one"));
      expect(said(await terraform.apply())).toBe("");
      terraform.configure(named("two"));
      for (const options of [[], ["-refresh=false"], ["-parallelism=1"], ["-refresh=false", "-parallelism=1"]]) {
        const outcome = await terraform.apply(...options);
        expect(outcome.code).toBe(1);
        // Terraform does not plan the new vnet once its zone is refused.
        for (const type of types.filter((one) => one !== "proxmox_sdn_vnet")) {
          expect(said(outcome), `${options}`).toContain(`moved {\n  from = ${type}.OLD`);
        }
      }
      const moves = types.map((type) => `moved {\n  from = ${type}.one\n  to = ${type}.two\n}\n`).join("");
      terraform.configure(`${named("two")}${moves}`);
      expect(said(await terraform.apply())).toBe("");
      expect((await terraform.plan()).code).toBe(0);
    });

    test("removed by another client, a zone is created and committed, also under another name", async () => {
      const zone = objects.proxmox_sdn_zone;
      terraform.configure(block("proxmox_sdn_zone", "one", zone));
      expect(said(await terraform.apply())).toBe("");
      for (const name of ["one", "two"]) {
        for (const zones of [sdn().zones, sdn().running.zones]) delete zones["again"];
        terraform.configure(block("proxmox_sdn_zone", name, zone));
        expect(said(await terraform.apply())).toBe("");
        expect(Object.keys(sdn().running.zones)).toEqual(["again"]);
      }
    });

    test("the leftover of a failed `create_before_destroy` is in the way until it is removed", async () => {
      const role = (id: string) =>
        block(
          "proxmox_role",
          "one",
          `id = "${id}"\n  privileges = []\n  lifecycle {\n    create_before_destroy = true\n  }`,
        );
      terraform.configure(role("old"));
      expect(said(await terraform.apply())).toBe("");
      simulator.faults.order({ do: "answer", call: "DELETE /access/roles/{roleid}", status: 500, reason: "not now" });
      terraform.configure(role("new"));
      expect(said(await terraform.apply())).toContain("not now");
      simulator.faults.clear();
      terraform.configure(role("old"));
      for (const options of [[], ["-refresh=false"], ["-parallelism=1"]]) {
        expect(said(await terraform.apply(...options))).toContain('Role "old" is removed and created');
      }
      for (const id of ["new", "old"]) {
        terraform.configure(role(id));
        expect(said(await terraform.apply())).toBe("");
      }
      expect((await terraform.plan()).code).toBe(0);
    });
  });
}
