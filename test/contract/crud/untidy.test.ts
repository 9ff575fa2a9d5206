import { afterAll, beforeAll, expect, test } from "vitest";
import { withLeftovers } from "#simulator";
import type { Input, Instance } from "../../harness/index.ts";
import { ResourceBench } from "../resource-bench.ts";
import { crowdedSeed, crowds, prepareCrowd } from "./copies.ts";

interface One {
  readonly type: string;
  readonly config: Record<string, Input>;
}

/** Objects whose answers have lists, texts of lists and numbers in them. */
const rich: readonly One[] = [
  { type: "proxmox_role", config: { id: "Rich", privileges: ["VM.Audit", "VM.Clone", "VM.Console", "Sys.Audit"] } },
  { type: "proxmox_pool", config: { id: "rich", storages: ["ceph", "nas", "local", "local-lvm"] } },
  { type: "proxmox_acl", config: { path: "/vms", role: "PVEAuditor", user: "terraform@pve" } },
  {
    type: "proxmox_storage",
    config: {
      id: "rich",
      dir: { path: "/srv/rich" },
      content: ["iso", "backup", "vztmpl", "snippets"],
      nodes: ["pve3", "pve1"],
      prune: { keep_last: 3, keep_daily: 7, keep_weekly: 4 },
    },
  },
  {
    type: "proxmox_backup_job",
    config: {
      ...{ id: "rich", schedule: "21:00", vmids: [1002, 1000, 1001], storage: "nas" },
      prune: { keep_last: 3, keep_daily: 7, keep_weekly: 4 },
      performance: { max_workers: 4, pbs_entries_max: 2048 },
    },
  },
  {
    type: "proxmox_cluster_options",
    config: {
      next_id: { lower: 200, upper: 5000 },
      crs: { ha: "static", ha_rebalance_on_start: true },
      tag_style: { shape: "full", ordering: "config", color_map: { prod: "ff0000", web: "00ff00" } },
      user_tag_access: { user_allow: "list", user_allow_list: ["web", "db"] },
    },
  },
  {
    type: "proxmox_vm",
    config: {
      ...{
        name: "rich",
        node: "pve1",
        vmid: 700,
        tags: ["web", "blue", "apps"],
        cpu: { cores: 4 },
        memory: { size: "2G" },
      },
      disks: { scsi0: { size: "4G", storage: "local-lvm" }, scsi1: { size: "1G", storage: "nas" } },
      networks: { net0: { bridge: "vmbr0", vlan: 20 }, net1: { bridge: "vmbr1" } },
    },
  },
];
const plain: readonly One[] = crowds.flatMap(({ type, of, most }) =>
  [1, 2].slice(0, most).map((n) => ({ type, config: of(n) })),
);
const all = [...rich, ...plain];

let bench: ResourceBench;
const instances: Instance[] = [];

beforeAll(async () => {
  bench = await ResourceBench.open({ as: "root@pam", seed: withLeftovers(crowdedSeed()) });
  prepareCrowd(bench.simulator.sim.world);
  for (const { type, config } of all) {
    instances.push(await bench.resource(type).apply(await bench.resource(type).plan(null, config)));
  }
});
afterAll(() => bench.close());

/** What a refresh and a plan of everything find, and what they ask for. */
async function planned() {
  const { log } = bench.simulator.sim;
  const calls: string[] = [];
  await bench.configure();
  const unsubscribe = log.subscribe(({ method, path }) => calls.push(`${method} ${path}`));
  const results = await Promise.all(
    all.map(async ({ type, config }, index) => {
      const found = await bench.resource(type).refresh(instances[index] as Instance);
      const { action, warnings } = await bench.resource(type).plan(found, config);
      return { type, action, warnings, state: found?.state };
    }),
  );
  unsubscribe();
  return { results, calls: calls.toSorted() };
}

test("a refresh and a plan find the same in every order, and ask for the same", { timeout: 120_000 }, async () => {
  bench.simulator.sim.untidiness?.restart("0");
  const first = await planned();
  expect(first.results.filter(({ action }) => action !== "no-op")).toEqual([]);
  for (let seed = 1; seed < 10; seed++) {
    bench.simulator.sim.untidiness?.restart(String(seed));
    expect(await planned()).toEqual(first);
  }
});
