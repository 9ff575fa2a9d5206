import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { containerMoves, movedContainers, recordedContainer } from "../../acceptance/moved-containers.ts";
import type { Instance } from "../../harness/index.ts";
import { Bench, seed } from "../container/suite.ts";
import { attribute } from "../resource-bench.ts";

const providers = { bpg: "registry.terraform.io/bpg/proxmox", telmate: "registry.terraform.io/telmate/proxmox" };

let bench: Bench;

beforeAll(async () => {
  const vms = movedContainers.map((guest) => (guest as { vmid: number }).vmid).filter((vmid) => vmid !== 602);
  bench = await Bench.open({
    as: "root@pam",
    seed: { ...seed, pools: [{ poolid: "lab", vms }], guests: [...seed.guests, ...movedContainers] },
  });
});
afterAll(() => bench.close());

/** Every value of the first is in the second. */
function differences(mine: unknown, other: unknown, path = ""): string[] {
  if (typeof mine === "object" && mine !== null && !Array.isArray(mine)) {
    return Object.entries(mine).flatMap(([name, value]) =>
      differences(value, (other as Record<string, unknown> | null)?.[name], `${path}.${name}`),
    );
  }
  return mine === null || JSON.stringify(mine) === JSON.stringify(other) ? [] : [`${path}: ${mine}, read ${other}`];
}

describe.each(containerMoves)("$from $name", ({ file, from, name, config }) => {
  let moved: Instance;

  test("moves here with values as the server has them, and without the secret", async () => {
    moved = await bench.container.move(providers[file], from, recordedContainer(file, from, name));
    expect(JSON.stringify(moved)).not.toContain("container-secret");
    const read = await bench.container.refresh(moved);
    expect(differences(attribute(moved), attribute(read))).toEqual([]);
    expect(attribute(moved, "vmid")).toBe(config["vmid"]);
  });

  test("has nothing to change, with or without a refresh", async () => {
    const before = JSON.stringify(bench.simulator.sim.world.guests);
    expect((await bench.container.plan(moved, config)).action).toBe("no-op");
    const plan = await bench.container.plan(await bench.container.refresh(moved), config);
    expect(plan.action).toBe("no-op");
    expect(plan.warnings.map(({ summary }) => summary)).toEqual(["Values stay as they are"]);
    expect(JSON.stringify(bench.simulator.sim.world.guests)).toBe(before);
  });

  test("is not taken for another container of its VMID", async () => {
    if (name === "copy") return; // Its state has nothing that only this container has.
    const { config: options } = bench.guest(Number(config["vmid"]));
    const kept = { ...options };
    for (const slot of ["net0", "net1"])
      options[slot] = String(options[slot]).replace(/hwaddr=[^,]+/, `hwaddr=BC:24:11:00:00:0${slot.at(-1)}`);
    expect(await bench.container.refresh(moved).catch(String)).toMatch(/no longer exists/);
    Object.assign(options, kept);
  });
});

test("a state without a VMID is refused", async () => {
  const moved = bench.container.move(providers.telmate, "proxmox_lxc", { hostname: "web" });
  await expect(moved).rejects.toThrow(/which container it is/);
});
