import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Simulator, startSimulator } from "#simulator";
import { findBinaries } from "../../src/cli/terraform-binaries.ts";
import type { PluginBinary } from "../terraform/plugin-binary.ts";
import { buildProvider, clusterWorkspace } from "./cluster-workspace.ts";
import { liveWholeLife } from "./resource-life.ts";

for (const binary of findBinaries()) {
  describe(`"proxmox_container" (${binary.name} ${binary.version})`, () => {
    let plugin: PluginBinary;
    let simulator: Simulator;

    beforeAll(async () => {
      plugin = await buildProvider();
      simulator = await startSimulator({ speed: 100 });
    });
    afterAll(() => simulator.close());

    test("passes its whole lifecycle: image, template, clones, update in place, undo, import, destroy", async () => {
      const containers = () => Object.values(simulator.sim.world.guests).filter(({ type }) => type === "lxc");
      const named = (name: string) => containers().find(({ config }) => config["hostname"] === name);
      await liveWholeLife({
        types: ["proxmox_container"],
        update: [
          ['memory   = { size = "1G", swap = "256M" }', 'memory   = { size = "2G", swap = "256M" }'],
          ['size = "20G"', 'size = "30G"'],
        ],
        unset: [['  tags     = ["web"]\n', ""]],
        local: ["image", "clone", "ssh_keys", "wait_for_address"],
        workspace: () => clusterWorkspace(binary, plugin, simulator),
        look(step) {
          const web = named("web");
          expect(web?.config["memory"]).toBe(step === "created" ? "1024" : "2048");
          expect(web?.config["mp0"]).toContain(step === "created" ? "size=20G" : "size=30G");
          expect(web?.run).toBeDefined();
          expect(named("golden")?.config["template"]).toBe("1");
          expect(named("worker-1")?.config["memory"]).toBe("2048");
        },
      });
      expect(containers()).toEqual([]);
    });
  });
}
