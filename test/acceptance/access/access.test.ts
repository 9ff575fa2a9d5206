import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Simulator, startSimulator } from "#simulator";
import { findBinaries } from "../../../src/cli/terraform-binaries.ts";
import type { PluginBinary } from "../../terraform/plugin-binary.ts";
import { buildProvider, clusterWorkspace } from "../cluster-workspace.ts";
import { liveWholeLife } from "../resource-life.ts";

const ephemeral = join(
  import.meta.dirname,
  "../../../examples/ephemeral-resources/proxmox_token/ephemeral-resource.tf",
);

for (const binary of findBinaries()) {
  describe(`who may do what (${binary.name} ${binary.version})`, () => {
    let plugin: PluginBinary;
    let simulator: Simulator;

    beforeAll(async () => {
      plugin = await buildProvider();
      simulator = await startSimulator({ speed: 100 });
    });
    afterAll(() => simulator.close());

    const access = () => simulator.sim.world.access;

    test("proxmox_role, proxmox_user, proxmox_token and proxmox_acl live their whole lives", async () => {
      const before = structuredClone(access());
      const secrets = new Set<string | undefined>();
      await liveWholeLife({
        types: ["proxmox_role", "proxmox_user", "proxmox_token", "proxmox_acl"],
        update: [
          ['"VM.Console", ', ""],
          ["on call", "on holiday"],
          ["2026-11", "2026-12"],
          ["propagate = true", "propagate = false"],
        ],
        unset: [
          ['  email      = "ann@example.com"\n', ""],
          ['  comment = "used by the pipeline"\n', ""],
          ["  propagate = false\n", ""],
        ],
        local: ["value", "rotate", "password", "password_version"],
        workspace: () => clusterWorkspace(binary, plugin, simulator),
        look: (step) => {
          const { roles, users, acl } = access();
          secrets.add(users["ci@pve"]?.tokens["deploy"]?.secret);
          expect(roles["Operator"]).toHaveLength(step === "created" ? 4 : 3);
          expect(users["ann@pve"]).toMatchObject({
            password: "change-me-at-once",
            comment: step === "created" ? "on call" : "on holiday",
          });
          expect(users["ann@pve"]?.email).toBe(step === "unset" ? undefined : "ann@example.com");
          const own = acl.filter(({ ugid }) => ugid === "bob@pve");
          expect(
            Object.fromEntries(own.map(({ path, roleid, propagate }) => [`${roleid} ${path}`, propagate])),
          ).toEqual({
            "PVEVMUser /pool/lab": true,
            "PVEAuditor /vms": step === "created",
          });
        },
      });
      expect(secrets.size, "rotated once").toBe(2);
      expect(access()).toEqual(before);
    });

    test("an ephemeral proxmox_token works while the run lasts, and leaves nothing behind", async () => {
      using terraform = clusterWorkspace(binary, plugin, simulator);
      const { url, caCertificate } = simulator;
      Object.assign(terraform.env, { PROXMOX_VE_ENDPOINT: url, PROXMOX_VE_CA_CERTIFICATE: caCertificate });
      terraform.configure(readFileSync(ephemeral, "utf8"));
      const { diagnostics } = await terraform.apply();
      expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
      expect(await terraform.outputs()).toMatchObject({ reader_may: expect.arrayContaining(["VM.Audit"]) });
      expect(Object.keys(access().users["terraform@pve"]?.tokens ?? {})).toEqual(["tf"]);
      const { lineage: _, ...state } = JSON.parse(terraform.read("terraform.tfstate")) as Record<string, unknown>;
      expect(JSON.stringify(state), "secrets look like this").not.toMatch(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/);
    });
  });
}
