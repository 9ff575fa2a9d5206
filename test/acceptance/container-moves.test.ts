import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Simulator, startSimulator } from "#simulator";
import { findBinaries, howToGetOne } from "../../src/cli/terraform-binaries.ts";
import { seed } from "../contract/container/suite.ts";
import type { PluginBinary } from "../terraform/plugin-binary.ts";
import { buildProvider } from "./cluster-workspace.ts";
import { containerMoves, movedContainers, recordedText } from "./moved-containers.ts";
import { errorsIn, moved, onServer, workspaceWith } from "./moved-states.ts";

const hcl = (name: string, config: object): string =>
  [
    `resource "proxmox_container" "${name}" {`,
    ...Object.entries(config).map(([attribute, value]) => `  ${attribute} = ${JSON.stringify(value)}`),
    "}\n",
  ].join("\n");

for (const binary of findBinaries()) {
  describe(`containers of another provider (${binary.name} ${binary.version})`, () => {
    let plugin: PluginBinary;
    let simulator: Simulator;

    beforeAll(async () => {
      plugin = await buildProvider();
      const vms = [601, 611, 621];
      const guests = [...seed.guests, ...movedContainers];
      simulator = await startSimulator({ speed: 100, seed: { ...seed, pools: [{ poolid: "lab", vms }], guests } });
    });
    afterAll(() => simulator.close());

    test.each(["bpg", "telmate"])("move here with an empty plan, and without their secrets: %s", async (file) => {
      using terraform = workspaceWith(binary, plugin, simulator);
      terraform.write("terraform.tfstate", recordedText(file));
      const ours = containerMoves.filter((one) => one.file === file);
      const addressOf = ({ from, name }: (typeof ours)[number]) => `${from.replace("proxmox_", "")}-${name}`;
      const resources = ours.map((one) => hcl(addressOf(one), one.config)).join("");
      const moves = ours.map((one) => moved(`${one.from}.${one.name}`, `proxmox_container.${addressOf(one)}`)).join("");
      terraform.configure(resources + moves);
      const before = onServer(simulator);
      const plan = await terraform.plan();
      expect(errorsIn(plan)).toEqual([]);
      expect(plan.changes).toEqual(
        Object.fromEntries(ours.map((one) => [`proxmox_container.${addressOf(one)}`, { action: "move" }])),
      );
      expect(await terraform.apply()).toMatchObject({ code: 0 });
      expect(onServer(simulator)).toBe(before);
      expect(terraform.read("terraform.tfstate")).not.toContain("container-secret");
      terraform.configure(resources);
      expect(await terraform.plan()).toMatchObject({ code: 0, changes: {} });
    });
  });
}
if (findBinaries().length === 0) test.skip(`containers of other providers: skipped. ${howToGetOne}`);
