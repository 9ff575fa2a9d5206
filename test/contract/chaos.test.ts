import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Simulator, startSimulator } from "#simulator";
import { Chronicle } from "../../programs/chaos/chronicle.ts";
import { crowdedSeed } from "../../programs/chaos/cluster.ts";
import { type Evidence, judge, secretsIn } from "../../programs/chaos/judge.ts";
import { type LifeOptions, live } from "../../programs/chaos/life.ts";
import { ModelledStack } from "../../programs/chaos/modelled-stack.ts";
import { type Script, writeScript } from "../../programs/chaos/script.ts";
import { buildProvider } from "../acceptance/cluster-workspace.ts";

const limit = { timeout: 600_000 };
let options: LifeOptions;

beforeAll(async () => {
  const { path } = await buildProvider();
  options = { makeStack: (simulator, script) => new ModelledStack(simulator, script, [path]) };
}, 120_000);

/** A few runs, of which the last ones once failed; `npm run chaos -- --seed 1 --runs 500` for the full run. */
test.each([2, 8, 19, 10024, 10051])("run %i recovers from all faults", limit, async (seed) => {
  const { findings, diary } = await live(writeScript(seed), options);
  expect(findings, diary.join("\n")).toEqual([]);
});

/** One VM whose provider is killed while the VM is being started. */
const killedAtStart: Script = {
  seed: 1,
  parallelism: 1,
  caller: "root@pam!admin",
  secrets: [],
  steps: [
    {
      configs: { doomed: { name: "doomed", clone: { template: "debian-13-cloud" }, cpu: { cores: 3 } } },
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

describe("the checks find", () => {
  let simulator: Simulator;
  let evidence: Evidence;

  beforeAll(async () => {
    simulator = await startSimulator({ seed: crowdedSeed() });
    const world = () => simulator.sim.world;
    const ours = {
      ...structuredClone(world().guests["502"]),
      vmid: 100,
    } as (typeof simulator.sim.world.guests)[string];
    const chronicle = new Chronicle(simulator);
    world().guests["100"] = { ...ours, config: { name: "ours", vmgenid: "one", scsi0: "ceph:vm-100-disk-7" } };
    world().volumes.push({
      volid: "ceph:vm-100-disk-7",
      node: undefined,
      content: "images",
      format: "raw",
      size: 5,
      vmid: 100,
      ctime: 0,
    });
    chronicle.stampVolumes();
    const disk = chronicle.portrait(100)?.disks["scsi0"];
    if (!disk) throw new Error("there is no disk");
    evidence = {
      chronicle,
      held: new Map([["ours", { vmid: 100, isTainted: false }]]),
      wanted: ["ours"],
      treasures: [{ vm: "ours", slot: "scsi0", disk, mayBeElsewhere: false }],
      generations: new Map([["ours", "one"]]),
      messages: "",
    };
  });

  afterAll(() => simulator.close());

  const found = (more: Partial<Evidence> = {}) => judge({ ...evidence, ...more }).map(({ kind }) => kind);
  const guest = (vmid: number) => {
    const one = simulator.sim.world.guests[vmid];
    if (!one) throw new Error(`there is no guest ${vmid}`);
    return one;
  };

  test("nothing in a correct cluster", () => {
    expect(found()).toEqual([]);
  });

  test("a VM that is in no state, or in the state only", () => {
    expect(found({ held: new Map() })).toEqual(expect.arrayContaining(["VM missing", "orphan VM"]));
    expect(found({ wanted: ["ours", "other"] })).toEqual(["VM missing"]);
  });

  test("a volume without a VM, unless a message named it", () => {
    const stray = { volid: "nas:iso/cloud-init-100-0123456789abcdef.iso", node: undefined };
    const { world } = simulator.sim;
    world.volumes.push({ ...stray, content: "iso", format: "iso", size: 1, ctime: 0 });
    expect(found()).toEqual(["orphan volume"]);
    expect(found({ messages: `Image ${stray.volid} is left behind` })).toEqual([]);
    world.volumes.pop();
  });

  test("two VMs with the same name", () => {
    const { world } = simulator.sim;
    world.guests["101"] = { ...guest(100), vmid: 101 };
    expect(found()).toEqual(["orphan VM", "duplicate name"]);
    delete world.guests["101"];
  });

  test("a changed VM or volume that is not managed", () => {
    guest(501).config["description"] = "hello";
    expect(found()).toEqual(["stranger touched"]);
    delete guest(501).config["description"];
    const { volumes } = simulator.sim.world;
    const at = volumes.findIndex(({ volid }) => volid === "ceph:vm-101-disk-0");
    const [gone] = volumes.splice(at, 1);
    expect(found()).toEqual(["stranger touched"]);
    if (gone) volumes.splice(at, 0, gone);
  });

  test("a disk that was replaced under the same name", () => {
    const volume = evidence.chronicle.volume("ceph:vm-100-disk-7", "pve2");
    const before = volume?.stamp;
    if (volume) volume.stamp = 999;
    expect(found()).toEqual(["disk lost"]);
    if (volume && before) volume.stamp = before;
  });

  test("a VM that was replaced, a leftover mark, and HA without a guest", () => {
    expect(found({ generations: new Map([["ours", "another"]]) })).toEqual(["VM replaced unasked"]);
    guest(100).config["description"] = "<!-- terraform-provider-proxmox: being made, 0 -->";
    simulator.sim.world.ha.resources["vm:4711"] = { type: "vm", options: {} };
    expect(found()).toEqual(["orphan HA resource", "mark left"]);
  });

  test("a secret in a log", () => {
    expect(secretsIn("password=s3cret", ["s3cret", "other"])).toEqual([{ kind: "secret leaked", text: "s3cret" }]);
  });
});
