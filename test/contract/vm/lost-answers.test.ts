import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { defaultSeed } from "#simulator";
import { type Input, type Instance, type ManagedResource, ProviderErrors } from "../../harness/index.ts";
import { Bench as Containers, fromImage, rootfs, seed } from "../container/suite.ts";
import { Bench } from "./suite.ts";

let vms: Bench;
let containers: Containers;

const pools = [{ poolid: "lab" }, { poolid: "other" }];

beforeAll(async () => {
  const vmSeed = { ...(defaultSeed() as object), pools };
  [vms, containers] = await Promise.all([Bench.open({ seed: vmSeed }), Containers.open({ seed: { ...seed, pools } })]);
});

afterEach(() => {
  for (const { simulator } of [vms, containers]) simulator.faults.clear();
});

afterAll(() => Promise.all([vms.close(), containers.close()]));

type Config = Record<string, Input>;

/** The configurations that a guest has one after another; it is destroyed in the end. */
interface Life {
  bench(): Bench;
  resource(): ManagedResource;
  readonly stages: readonly Config[];
  /** Every call of it that changes something. */
  readonly calls: readonly string[];
}

const vm = "/nodes/{node}/qemu/{vmid}";
const ct = "/nodes/{node}/lxc/{vmid}";
const clone = { template: "ubuntu-24.04-cloud" };
const placed = {
  clone,
  node: "pve2",
  pool: "lab",
  disks: { scsi0: { storage: "ceph", size: "12G" } },
};
const container = { ...fromImage, mounts: { rootfs } };

const lives: Record<string, Life> = {
  "a VM that is moved, grown, migrated, started, shut down and put into another pool": {
    bench: () => vms,
    resource: () => vms.vm,
    stages: [placed, { ...placed, power: "stopped", description: "changed" }, { ...placed, pool: "other" }],
    calls: [
      `POST ${vm}/clone`,
      `PUT ${vm}/config`,
      `POST ${vm}/move_disk`,
      `PUT ${vm}/resize`,
      `POST ${vm}/migrate`,
      `POST ${vm}/status/start`,
      `POST ${vm}/status/shutdown`,
      "PUT /pools",
      `DELETE ${vm}`,
    ],
  },
  "a VM that becomes a template": {
    bench: () => vms,
    resource: () => vms.vm,
    stages: [{ clone, template: true }],
    calls: [`POST ${vm}/template`],
  },
  "a VM under HA": {
    bench: () => vms,
    resource: () => vms.vm,
    stages: [{ clone, ha: { max_restart: 2 } }, { clone, ha: { max_restart: 3 } }, { clone }],
    calls: ["POST /cluster/ha/resources", "PUT /cluster/ha/resources/{sid}", "DELETE /cluster/ha/resources/{sid}"],
  },
  "a container that is grown, moved, started and shut down": {
    bench: () => containers,
    resource: () => containers.container,
    stages: [
      { ...container, power: "running" },
      { ...container, power: "stopped", mounts: { rootfs: { ...rootfs, size: "5G" } } },
      { ...container, power: "stopped", mounts: { rootfs: { storage: "ceph", size: "5G" } } },
    ],
    calls: [
      "POST /nodes/{node}/lxc",
      `POST ${ct}/status/start`,
      `POST ${ct}/status/shutdown`,
      `PUT ${ct}/resize`,
      `POST ${ct}/move_volume`,
      `DELETE ${ct}`,
    ],
  },
};

/** Creates the guest. A create that fails has left nothing that Terraform would have to replace, and succeeds the next time. */
async function create(bench: Bench, resource: ManagedResource, config: Config): Promise<Instance> {
  try {
    return await resource.create(config);
  } catch (reason) {
    if (!(reason instanceof ProviderErrors)) throw reason;
    await bench.restart();
    const left = reason.remains && (await resource.refresh(reason.remains).catch(String));
    if (left !== null && typeof left !== "string") throw new Error(`would be replaced: ${reason.message}`);
    return resource.create(config);
  }
}

/** Whether the answer was lost at all: the fault has struck. */
async function live({ bench: of, resource, stages }: Life, vmid: number, lose: () => () => boolean): Promise<boolean> {
  const bench = of();
  bench.simulator.reset();
  await bench.restart();
  const hasStruck = lose();
  const [first = {}, ...others] = stages.map((stage) => ({ name: `lost-${vmid}`, vmid, ...stage }));
  let now = await create(bench, resource(), first);
  for (const config of others) now = await resource().update(now, config);
  await resource().destroy(now);
  expect(bench.has(vmid)).toBe(false);
  return hasStruck();
}

const rows = Object.entries(lives).flatMap(([title, life]) => life.calls.map((call) => [title, call, life] as const));

describe.each([
  ["after", true],
  ["before", false],
])("an answer that is lost %s the work", (_, after) => {
  test.each(rows)("does not end the life of %s: %s", async (__, call, life) => {
    const lose = () => {
      const fault = life
        .bench()
        .simulator.faults.order({ do: "answer", call, status: 596, ...(after && { after: 1 }) });
      return () => fault.struck > 0;
    };
    expect(await live(life, 860, lose)).toBe(true);
  });
});
