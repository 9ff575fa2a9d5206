import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Simulator, startSimulator } from "#simulator";
import { Chronicle } from "../../programs/chaos/chronicle.ts";
import { crowdedSeed } from "../../programs/chaos/cluster.ts";
import { inOrder, type Work } from "../../programs/chaos/in-order.ts";
import { type Evidence, judge, secretsIn } from "../../programs/chaos/judge.ts";
import { type LifeOptions, live } from "../../programs/chaos/life.ts";
import { ModelledStack } from "../../programs/chaos/modelled-stack.ts";
import type { Watch } from "../../programs/chaos/part.ts";
import { containers } from "../../programs/chaos/parts/containers.ts";
import { disks } from "../../programs/chaos/parts/disks.ts";
import { mixtureOf } from "../../programs/chaos/parts/index.ts";
import { vms } from "../../programs/chaos/parts/vms.ts";
import { refer, referencesIn, resolve } from "../../programs/chaos/references.ts";
import { type Configs, type Script, writeScript } from "../../programs/chaos/script.ts";
import { type Held, nothing, type Stack } from "../../programs/chaos/stack.ts";
import { buildProvider } from "../acceptance/cluster-workspace.ts";

const limit = { timeout: 600_000 };
let options: LifeOptions;

beforeAll(async () => {
  const { path } = await buildProvider();
  options = { makeStack: (simulator, script) => new ModelledStack(simulator, script, [path]) };
}, 120_000);

/** A few runs, of which the last ones once failed; `npm run chaos -- --seed 1 --runs 500` for the full run. */
test.each([2, 8, 19, 10024, 10051])("run %i of VMs recovers from all faults", limit, async (seed) => {
  const { findings, diary } = await live(writeScript(seed, [vms]), options);
  expect(findings, diary.join("\n")).toEqual([]);
});

test.each([1, 76017])("run %i of mixed objects recovers from all faults", limit, async (seed) => {
  const { findings, diary } = await live(writeScript(seed, mixtureOf(seed)), options);
  expect(findings, diary.join("\n")).toEqual([]);
});

test.each([3, 7])("run %i of persistent disks and snapshots recovers from all faults", limit, async (seed) => {
  const { findings, diary } = await live(writeScript(seed, [disks]), options);
  expect(findings, diary.join("\n")).toEqual([]);
});

/** One VM whose provider is killed while the VM is being started. */
const killedAtStart: Script = {
  seed: 1,
  parts: [vms],
  parallelism: 1,
  caller: "root@pam!admin",
  secrets: [],
  steps: [
    {
      configs: { "proxmox_vm.doomed": { name: "doomed", clone: { template: "debian-13-cloud" }, cpu: { cores: 3 } } },
      troubles: [],
      cut: { who: "provider", at: { of: "writes", nth: 3, when: "after" } },
    },
  ],
};

describe("a VM that is in no state", () => {
  test("is resumed because of its mark", limit, async () => {
    const { findings, cut, imported } = await live(killedAtStart, options);
    expect({ findings, cut, imported }).toEqual({ findings: [], cut: 1, imported: 0 });
  });

  test("is found when the marks are removed", limit, async () => {
    const { findings, imported } = await live(killedAtStart, {
      ...options,
      meddle({ sim }, moments) {
        moments.always(() => {
          for (const { config } of Object.values(sim.world.guests)) {
            if (config["description"]?.includes("being made")) delete config["description"];
          }
        });
      },
    });
    expect(findings.length + imported).toBeGreaterThan(0);
  });
});

const kinds = [
  { part: vms, type: "qemu", resource: "proxmox_vm", noun: "VM", name: "name", map: "disks", slot: "scsi0" },
  {
    part: containers,
    type: "lxc",
    resource: "proxmox_container",
    noun: "container",
    name: "hostname",
    map: "mounts",
    slot: "mp0",
  },
] as const;

describe.each(kinds)("the checks of $part.name find", ({ part, type, resource, noun, name, map, slot }) => {
  let simulator: Simulator;
  let chronicle: Chronicle;
  let watch: Watch;
  const address = `${resource}.ours`;
  const wanted: Configs = { [address]: { name: "ours", [map]: { [slot]: {} } } };
  const held = new Map<string, Held>([
    [address, { isTainted: false, attribute: (one) => (one === "vmid" ? 100 : undefined) }],
  ]);

  beforeAll(async () => {
    simulator = await startSimulator({ seed: crowdedSeed([part]) });
    const { world } = simulator.sim;
    const model = Object.values(world.guests).find((one) => one.type === type);
    if (!model) throw new Error("there is no guest to copy");
    chronicle = new Chronicle(simulator, [part]);
    world.guests["100"] = {
      ...structuredClone(model),
      vmid: 100,
      stamp: undefined,
      config: { [name]: "ours", [slot]: "ceph:vm-100-disk-7" },
    } as typeof model;
    const volume = { content: "images", format: "raw", size: 5, vmid: 100, ctime: 0 } as const;
    world.volumes.push({ volid: "ceph:vm-100-disk-7", node: undefined, ...volume });
    watch = part.watch(chronicle);
    watch.plan(wanted, held);
  });

  afterAll(() => simulator.close());

  const found = (more: Partial<Evidence> = {}) =>
    judge({ chronicle, held, wanted, messages: "", ...more }, [watch])
      .map(({ kind }) => kind)
      .sort();
  const guest = (vmid: number) => {
    const one = simulator.sim.world.guests[vmid];
    if (!one) throw new Error(`there is no guest ${vmid}`);
    return one;
  };

  test("nothing in a correct cluster", () => {
    expect(found()).toEqual([]);
  });

  test("one that is in no state, or in the state only", () => {
    expect(found({ held: new Map() })).toEqual(expect.arrayContaining([`${noun} missing`, `orphan ${noun}`]));
    expect(found({ wanted: { ...wanted, [`${resource}.other`]: { name: "other" } } })).toEqual([`${noun} missing`]);
  });

  test("a volume without a guest, unless a message named it", () => {
    const stray = { volid: "nas:iso/cloud-init-100-0123456789abcdef.iso", node: undefined };
    const { world } = simulator.sim;
    world.volumes.push({ ...stray, content: "iso", format: "iso", size: 1, ctime: 0 });
    expect(found()).toEqual(["orphan volume"]);
    expect(found({ messages: `Image ${stray.volid} is left behind` })).toEqual([]);
    world.volumes.pop();
  });

  test("two with the same name", () => {
    const { world } = simulator.sim;
    world.guests["101"] = { ...guest(100), vmid: 101 };
    expect(found()).toEqual(["duplicate name", `orphan ${noun}`]);
    delete world.guests["101"];
  });

  test("a changed guest or volume that is not managed", () => {
    const vmid = type === "qemu" ? 501 : 511;
    guest(vmid).config["description"] = "hello";
    expect(found()).toEqual(["stranger touched"]);
    delete guest(vmid).config["description"];
    const { volumes } = simulator.sim.world;
    const at = volumes.findIndex(({ volid }) => volid === "ceph:vm-101-disk-0");
    const [gone] = volumes.splice(at, 1);
    expect(found()).toEqual(["stranger touched"]);
    if (gone) volumes.splice(at, 0, gone);
  });

  test("a disk that was replaced under the same name", () => {
    const volume = chronicle.volume("ceph:vm-100-disk-7", "pve2");
    const before = volume?.stamp;
    if (volume) volume.stamp = 999;
    expect(found()).toEqual(["disk lost"]);
    if (volume && before) volume.stamp = before;
  });

  test("one that was replaced, a leftover mark, and HA without a guest", () => {
    Object.assign(guest(100), { stamp: 999 });
    expect(found()).toEqual([`${noun} replaced unasked`]);
    guest(100).config["description"] = "<!-- terraform-provider-proxmox: being made, 0 -->";
    simulator.sim.world.ha.resources["vm:4711"] = { type: "vm", options: {} };
    expect(found()).toEqual([`${noun} replaced unasked`, "mark left", "orphan HA resource"].sort());
  });
});

test("a secret in a log is found", () => {
  expect(secretsIn("password=s3cret", ["s3cret", "other"])).toEqual([{ kind: "secret leaked", text: "s3cret" }]);
});

/** Terraform that changes nothing in the steps that fail. Returns the addresses of each step's configuration. */
async function stepsOf(steps: readonly (readonly [Configs, "done" | "failed"])[]): Promise<string[][]> {
  const applied: string[][] = [];
  let state: string[] = [];
  const stack: Stack = {
    async apply(configs) {
      const isFailed = steps[applied.length]?.[1] === "failed";
      applied.push(Object.keys(configs));
      if (!isFailed) state = Object.keys(configs);
      return isFailed ? { ...nothing, errors: ["nothing works"] } : nothing;
    },
    plan: async () => ({ ...nothing, changes: [] }),
    import: async () => nothing,
    held: () => new Map(state.map((address) => [address, { isTainted: false, attribute: () => undefined }])),
    cut: () => undefined,
    logs: () => "",
    close: async () => undefined,
  };
  const script: Script = {
    ...killedAtStart,
    parts: [],
    steps: steps.map(([configs]) => ({ configs, troubles: [], cut: null })),
  };
  await live(script, { makeStack: () => stack });
  return applied.slice(0, steps.length);
}

test.each([
  ["stays while its removal has failed", "failed", ["proxmox_vm.a", "proxmox_disk.d"]],
  ["goes once it has been removed", "done", ["proxmox_vm.a"]],
] as const)("a disk that its VM no longer refers to %s", async (_, removal, last) => {
  const disk = { "proxmox_disk.d": { name: "d" } };
  const attached = { "proxmox_vm.a": { disks: { scsi1: { volume: refer("proxmox_disk.d", "volume") } } } };
  const applied = await stepsOf([
    [{ ...disk, ...attached }, "done"],
    [{}, removal],
    [{ "proxmox_vm.a": {} }, "done"],
  ]);
  expect(applied).toEqual([["proxmox_disk.d", "proxmox_vm.a"], [], last]);
});

test("references order the work, and are replaced by values", async () => {
  const config = {
    vmid: refer("proxmox_vm.anna-1", "vmid"),
    lines: [{ id: refer("proxmox_disk.a", "volume.id") }],
    text: "$",
  };
  expect(referencesIn(config)).toEqual(["proxmox_vm.anna-1", "proxmox_disk.a"]);
  const shown = resolve(config, (address, path) => `${address}: ${path.join("/")}`);
  const expected = { vmid: "proxmox_vm.anna-1: vmid", lines: [{ id: "proxmox_disk.a: volume/id" }], text: "$" };
  expect(shown).toEqual(expected);
  const done: string[] = [];
  const work = (key: string, after: string[], isDone = true): [string, Work] => [
    key,
    {
      after,
      async run() {
        done.push(key);
        return isDone;
      },
    },
  ];
  await inOrder(
    2,
    new Map([work("c", ["b"]), work("b", ["a"]), work("a", []), work("z", ["y"]), work("y", [], false)]),
  );
  expect(done.filter((key) => "abc".includes(key))).toEqual(["a", "b", "c"]);
  expect(done).not.toContain("z");
});
