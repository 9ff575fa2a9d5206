import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findBinaries } from "../../../src/cli/terraform-binaries.ts";
import type { PluginBinary } from "../../terraform/plugin-binary.ts";
import { buildProvider } from "../cluster-workspace.ts";
import { liveWholeLife } from "../resource-life.ts";
import { openTargetCluster, type TargetCluster, targetWorkspace } from "../target-cluster.ts";

const ephemeral = join(
  import.meta.dirname,
  "../../../examples/ephemeral-resources/proxmox_token/ephemeral-resource.tf",
);

for (const binary of findBinaries()) {
  describe(`access control (${binary.name} ${binary.version})`, () => {
    let plugin: PluginBinary;
    let cluster: TargetCluster;

    beforeAll(async () => {
      plugin = await buildProvider();
      cluster = await openTargetCluster("root@pam!admin");
    });
    afterAll(() => cluster.close());

    /** What only the simulator shows: secrets, passwords, and the whole configuration. */
    const world = () => cluster.simulator?.sim.world.access;
    const workspace = () => targetWorkspace(binary, plugin, cluster);

    test("proxmox_role, proxmox_user, proxmox_token and proxmox_acl pass their whole lifecycle", async () => {
      const before = structuredClone(world());
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
        workspace,
        look: async (step) => {
          const { roles, users, acl } = cluster.client.access;
          secrets.add(world()?.users["ci@pve"]?.tokens["deploy"]?.secret);
          expect((await roles.find("Operator"))?.privileges).toHaveLength(step === "created" ? 4 : 3);
          const ann = await users.get("ann@pve");
          expect(ann.comment).toBe(step === "created" ? "on call" : "on holiday");
          expect(ann.email || undefined).toBe(step === "unset" ? undefined : "ann@example.com");
          if (world()) expect(world()?.users["ann@pve"]?.password).toBe("change-me-at-once");
          const own = (await acl.list()).filter(({ subject }) => subject === "bob@pve");
          expect(Object.fromEntries(own.map(({ path, role, propagate }) => [`${role} ${path}`, propagate]))).toEqual({
            "PVEVMUser /pool/lab": true,
            "PVEAuditor /vms": step === "created",
          });
        },
      });
      if (world()) expect(secrets.size, "rotated once").toBe(2);
      expect(world()).toEqual(before);
      expect(await cluster.client.access.users.find("ann@pve")).toBeNull();
    });

    test("an ephemeral proxmox_token works during the run and leaves nothing behind", async () => {
      using terraform = workspace();
      terraform.configure(readFileSync(ephemeral, "utf8"));
      const { diagnostics } = await terraform.apply();
      expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
      expect(await terraform.outputs()).toMatchObject({ reader_may: expect.arrayContaining(["VM.Audit"]) });
      if (world()) expect(Object.keys(world()?.users["terraform@pve"]?.tokens ?? {})).toEqual(["tf"]);
      const { lineage: _, ...state } = JSON.parse(terraform.read("terraform.tfstate")) as Record<string, unknown>;
      expect(JSON.stringify(state), "secrets look like this").not.toMatch(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/);
    });
  });
}
