import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Input, type Instance, type ManagedResource, ProviderErrors } from "../../harness/index.ts";
import { Bench as Containers, fromImage, rootfs } from "../container/suite.ts";
import { askAsOther, Bench } from "./suite.ts";

/** Tasks may be silent for less than the simulated ones take. */
const env = { PROXMOX_VE_TASK_TIMEOUT: "150ms" };
const silent = (task: string) => ({ do: "slow", task, seconds: 300 }) as const;

let vms: Bench;
let containers: Containers;

beforeAll(async () => {
  [vms, containers] = await Promise.all([Bench.open({ env }), Containers.openWith({ env })]);
});

afterEach(() => {
  for (const { simulator } of [vms, containers]) simulator.faults.clear();
});

afterAll(() => Promise.all([vms.close(), containers.close()]));

/** Creates a guest, as Terraform would: the message, and what it keeps in the state. */
async function giveUp(resource: ManagedResource, config: Input): Promise<{ message: string; remains: Instance }> {
  const failure = await resource.create(config).catch((reason: unknown) => reason);
  if (!(failure instanceof ProviderErrors)) throw new Error(`the create has not failed: ${failure}`);
  if (!failure.remains) throw new Error(`nothing remains: ${failure.message}`);
  return { message: failure.message, remains: failure.remains };
}

const clone = { template: "ubuntu-24.04-cloud" };
type Given = { bench: Bench; resource: ManagedResource; task: string; config: Record<string, Input> };

const cloned = { clone: { template: "9100", full: true } };
const rows: [string, () => Given][] = [
  ["cloned VM", () => ({ bench: vms, resource: vms.vm, task: "qmclone", config: { clone } })],
  ["cloned container", () => ({ bench: containers, resource: containers.container, task: "vzclone", config: cloned })],
  [
    "new container",
    () => ({
      bench: containers,
      resource: containers.container,
      task: "vzcreate",
      config: { ...fromImage, mounts: { rootfs } },
    }),
  ],
];

describe.each(rows)("a %s whose task is silent for too long", (_, given) => {
  test("is in the state, with VMID, task and setting in the message, and destroy removes it", async () => {
    const { bench, resource, task, config } = given();
    bench.simulator.faults.order(silent(task));
    const { message, remains } = await giveUp(resource, { name: "slow", vmid: 741, ...config });
    expect(message).toMatch(/(VM|Container) 741 is made, so it is in the state, marked as tainted/);
    expect(message).toMatch(new RegExp(`Task: UPID:.*:${task}:`));
    expect(message).toMatch(/`tasks = \{ timeout = … \}`/);
    expect(message).not.toMatch(/answer was lost/);
    await bench.restart();
    const read = await resource.refresh(remains);
    expect(bench.has(741)).toBe(true);
    await resource.destroy(read);
    expect(bench.has(741)).toBe(false);
    expect(bench.volumes(741)).toEqual([]);
  });
});

describe("a VM whose create was given up", () => {
  const config = { name: "given-up", vmid: 742, clone };

  beforeEach(() => vms.restart());

  test("is gone for the next plan when its clone fails after all", async () => {
    vms.simulator.faults.order(silent("qmclone"));
    vms.simulator.faults.order({ do: "fail", task: "qmclone", text: "no space left" });
    const { remains } = await giveUp(vms.vm, config);
    await expect.poll(() => vms.has(742), { timeout: 10_000 }).toBe(false);
    await vms.restart();
    expect(await vms.vm.refresh(remains).catch(String)).toMatch(/no longer exists/);
  });

  test("is kept and completed after `terraform untaint`", async () => {
    vms.simulator.faults.order(silent("qmclone"));
    const { remains } = await giveUp(vms.vm, config);
    await expect.poll(() => vms.config(742)["lock"], { timeout: 10_000 }).toBeUndefined();
    await vms.restart();
    const kept = await vms.vm.update(await vms.vm.refresh(remains), config);
    expect(vms.config(742)["description"] ?? "").not.toContain("being made");
    await vms.vm.destroy(kept);
  });

  test("is not taken for another one that has its VMID by then", async () => {
    vms.simulator.faults.order({ do: "reset", call: "POST /nodes/{node}/qemu/{vmid}/clone" });
    const { message, remains } = await giveUp(vms.vm, config);
    expect(message).toMatch(/answer was lost.*VM 742 .* in the state/s);
    await askAsOther(vms, "POST", "/nodes/pve1/qemu", { vmid: "742", name: "theirs" });
    await vms.restart();
    expect(await vms.vm.refresh(remains).catch(String)).toMatch(/no longer exists/);
    await vms.vm.destroy(remains);
    expect(vms.config(742)["name"]).toBe("theirs");
    await askAsOther(vms, "DELETE", "/nodes/pve1/qemu/742", {});
  });

  test("is in the state when nothing can be read after a lost answer", async () => {
    vms.simulator.faults.order({ do: "reset", call: "POST /nodes/{node}/qemu/{vmid}/clone", after: 1 });
    vms.simulator.faults.order({ do: "answer", status: 500, call: "GET /nodes/{node}/tasks", times: 1000 });
    const { remains } = await giveUp(vms.vm, config);
    vms.simulator.faults.clear();
    await vms.restart();
    await vms.vm.destroy(await vms.vm.refresh(remains));
    expect(vms.has(742)).toBe(false);
  });
});
