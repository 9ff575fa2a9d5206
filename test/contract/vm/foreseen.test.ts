import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { defaultSeed } from "../../../src/simulator/seed/default-seed.ts";
import { type Input, ProviderErrors, unknown } from "../../harness/index.ts";
import { placeOf } from "../place-of.ts";
import { clone, rows } from "./foreseen-rows.ts";
import { Bench, sshKey } from "./suite.ts";

const seed = () => {
  const base = defaultSeed() as Record<string, object[]>;
  const lvm = {
    storage: "thick",
    type: "lvm",
    vgname: "thick",
    content: ["images"],
    total_bytes: 2 ** 40,
    avail_bytes: 2 ** 40,
  };
  const fast = { ...lvm, storage: "fast", vgname: "fast", nodes: ["pve2"] };
  const disk = (storage: string, vmid: number) => ({
    scsi0: `${storage}:vm-${vmid}-disk-0,size=1G`,
    scsihw: "virtio-scsi-pci",
  });
  return {
    ...base,
    storages: [...(base["storages"] ?? []), lvm, fast],
    bridges: base["bridges"]?.map((bridge) =>
      "iface" in bridge && bridge.iface === "vmbr1" ? { ...bridge, mtu: 1400 } : bridge,
    ),
    guests: [
      ...(base["guests"] ?? []),
      { vmid: 200, config: { name: "plain", ...disk("local-lvm", 200) } },
      { vmid: 203, config: { name: "zfs", template: 1, scsi0: "local-zfs:base-203-disk-0,size=1G" } },
      { vmid: 201, config: { name: "thick", template: 1, ...disk("thick", 201) } },
      {
        vmid: 202,
        running: true,
        config: {
          name: "secure",
          ...disk("local-lvm", 202),
          tpmstate0: "local-lvm:vm-202-disk-1,size=4M,version=v2.0",
        },
      },
    ],
  };
};

const file = { node: "pve1", size: 2 ** 20, ctime: 1 };

let bench: Bench;

/** What no seed can say. */
function furnish({ simulator }: Bench): void {
  const { world } = simulator.sim;
  world.mappings.pci["gpu"] = { type: "pci", options: { map: ["node=pve1,path=0000:01:00.0,id=10de:2204"] } } as never;
  world.mappings.pci["elsewhere"] = {
    type: "pci",
    options: { map: ["node=pve3,path=0000:01:00.0,id=10de:2204"] },
  } as never;
  world.mappings.dir["share"] = { type: "dir", options: { map: ["node=pve3,path=/srv"] } } as never;
  world.volumes.push({ ...file, volid: "local:snippets/user.yaml", content: "snippets", format: "snippet" } as never);
  for (const node of ["pve1", "pve2"]) {
    world.volumes.push({ ...file, node, volid: "local:iso/here.iso", content: "iso", format: "iso" } as never);
  }
}

beforeAll(async () => {
  bench = await Bench.open({ seed: seed() });
  furnish(bench);
});

afterAll(() => bench.close());

/** The diagnostics of a plan that is refused, as "path: detail". */
async function refusals(config: Input): Promise<string[]> {
  try {
    await bench.vm.plan(null, config);
    return [];
  } catch (error) {
    if (!(error instanceof ProviderErrors)) throw error;
    return error.diagnostics.map((one) => `${placeOf(one)}: ${one.detail}`);
  }
}

describe("the plan foresees", () => {
  test.each(rows)("%s", async (_, config, path, message) => {
    const found = await refusals(config);
    expect(found.map((line) => line.split(": ")[0])).toEqual([path]);
    expect(found[0]).toMatch(message);
  });
});

describe("without the plan's checks the apply fails on", () => {
  let unchecked: Bench;

  beforeAll(async () => {
    unchecked = await Bench.open({ seed: seed(), env: { PROXMOX_VE_PLAN_CHECKS: "off" } });
    furnish(unchecked);
  });

  afterAll(() => unchecked.close());

  test.each(rows)("%s", async (_, config, _path, _message, refusal) => {
    const failure = await unchecked.vm.create(config).catch((reason: unknown) => reason);
    if (!(failure instanceof ProviderErrors)) throw new Error("it was not refused");
    expect(failure.message).toContain(`Proxmox VE says: `);
    expect(failure.message).toContain(refusal);
    const vmids = unchecked.vmids().filter((vmid) => vmid >= 100 && vmid < 200);
    for (const vmid of vmids) delete unchecked.simulator.sim.world.guests[vmid];
  });
});

describe("nothing is refused", () => {
  test.each<[string, Input]>([
    ["for the template as it is", { clone }],
    ["while the memory is unknown", { clone, memory: { size: unknown, balloon: "4G" } }],
    ["while the limit is unknown", { clone, disks: { scsi0: { limits: { mbps: unknown, mbps_burst: 20 } } } }],
    ["while the cores are unknown", { clone, cpu: { cores: unknown, sockets: 16 } }],
    ["for a VM that is not started", { clone, power: "stopped", cpu: { cores: 64 } }],
    ["for a template of another node's size", { clone, template: true, cpu: { cores: 64 } }],
    [
      "for what is right",
      {
        clone,
        cpu: { type: "EPYC-Milan", flags: ["+aes"] },
        cloud_init: { ssh_keys: [sshKey], snippets: { user: "local:snippets/user.yaml" } },
      },
    ],
  ])("%s", async (_, config) => {
    expect(await refusals(config)).toEqual([]);
  });
});

describe("a change is judged by what it changes", () => {
  test("a VM that became wrong behind Terraform's back can be changed, and destroyed", async () => {
    const config = {
      name: "worn",
      clone,
      power: "stopped",
      networks: { net0: { bridge: "vmbr1" } },
      disks: { scsi1: { storage: "ceph", size: "1G" } },
      cdroms: { ide0: { file: "local:iso/gone.iso" } },
      cpu: { type: "host", cores: 16 },
    };
    const { world } = bench.simulator.sim;
    world.volumes.push({ ...file, volid: "local:iso/gone.iso", content: "iso", format: "iso" } as never);
    await bench.restart();
    const made = await bench.vm.create(config);
    const before = structuredClone({ storages: world.storages, nodes: world.nodes, volumes: world.volumes });
    const { ceph } = world.storages;
    if (ceph) ceph.options["content"] = "rootdir";
    for (const node of Object.values(world.nodes)) node.cpus = 8;
    // The lists show it after the next statistics.
    await bench.simulator.sim.clock.sleep(20);
    world.volumes = world.volumes.filter(({ volid }) => volid !== "local:iso/gone.iso") as typeof world.volumes;
    await bench.restart();
    const changed = { ...config, description: "changed" };
    const plan = await bench.vm.plan(await bench.vm.refresh(made), changed);
    expect(plan.action).toBe("update");
    Object.assign(world, { storages: before.storages, volumes: before.volumes });
    await bench.restart();
    const started = bench.vm.plan(await bench.vm.refresh(made), { ...config, power: "running" });
    await expect(started).rejects.toThrow(/16 cores, and pve1 starts no VM with more than the 8 processors/);
    Object.assign(world, before);
    await bench.restart();
    await bench.vm.destroy(await bench.vm.apply(plan, changed));
  });

  test("another clone source is no change, and is said once", async () => {
    const config = { name: "sourced", clone, power: "stopped" };
    const made = await bench.vm.create(config);
    const other = { ...config, clone: { template: "debian-13-cloud" } };
    const plan = await bench.vm.plan(await bench.vm.refresh(made), other);
    expect(plan.action).toBe("no-op");
    expect(plan.warnings.map(({ summary }) => summary)).toEqual(["Source is not read again"]);
    expect((await bench.vm.plan(made, other)).warnings).toEqual([]);
    expect((await bench.vm.plan(made, { ...other, replace_on_source_change: true })).action).toBe("replace");
    await bench.vm.destroy(made);
  });
});
