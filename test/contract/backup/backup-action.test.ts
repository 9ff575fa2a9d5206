import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { defaultSeed } from "#simulator";
import { backupAction } from "../../../src/resources/backup/backup-action.ts";
import { ResourceBench } from "../resource-bench.ts";
import { invoke } from "../vm/streams.ts";

const disk = (vmid: number) => ({ scsi0: `local-lvm:vm-${vmid}-disk-0,size=1G` });
const guests = [
  { vmid: 301, node: "pve1", running: true, config: { name: "a", ...disk(301) } },
  { vmid: 302, node: "pve2", config: { name: "b", ...disk(302) } },
  { vmid: 303, node: "pve1", config: { name: "c", ...disk(303) } },
];

let bench: ResourceBench;

beforeAll(async () => {
  const pools = [{ poolid: "blue", vms: [302, 303] }, { poolid: "empty" }];
  bench = await ResourceBench.open({ seed: { ...defaultSeed(), guests, pools } });
});
beforeEach(async () => {
  bench.simulator.reset();
  await bench.configure();
});
afterAll(() => bench.close());

const act = (config: Record<string, string | number | boolean | number[]>) =>
  invoke(bench.provider, "proxmox_backup", config);
const backups = () =>
  bench.simulator.sim.world.volumes
    .filter(({ content }) => content === "backup")
    .map(({ volid }) => volid.replace(/\d{4}_.*?\./, "TIME."))
    .sort();

test("guests of several nodes are backed up, and nothing is removed", async () => {
  const { progress, diagnostics } = await act({ vmids: [301, 302, 303], storage: "nas" });
  expect(diagnostics).toEqual([]);
  expect(backups()).toEqual([301, 302, 303].map((id) => `nas:backup/vzdump-qemu-${id}-TIME.vma.zst`));
  expect(progress.some((line) => /^Node pve1: task UPID:pve1:.*:vzdump::/.test(line))).toBe(true);
  expect(progress.some((line) => /^Node pve2: INFO: Starting Backup of VM 302/.test(line))).toBe(true);
  expect(progress.filter((line) => line.endsWith("backed up"))).toHaveLength(2);
  const { log } = bench.simulator.sim;
  expect(JSON.stringify(log.summary())).toContain("/nodes/{node}/vzdump");
});

test("an older backup goes only if it is to: where the storage keeps one, another is refused otherwise", async () => {
  const nas = bench.simulator.sim.world.storages["nas"];
  if (nas) nas.options["prune-backups"] = "keep-last=1";
  const made = () => bench.simulator.sim.world.volumes.filter(({ content }) => content === "backup");
  await act({ vmids: [301], storage: "nas" });
  const [first] = made();
  const { diagnostics } = await act({ vmids: [301], storage: "nas" });
  expect(diagnostics[0]?.detail).toContain("There is a max backup limit of 1");
  expect(made()).toEqual([first]);
  expect((await act({ vmids: [301], storage: "nas", remove: true })).diagnostics).toEqual([]);
  expect(made()).toHaveLength(1);
  expect(made()[0]).not.toBe(first);
});

test("a pool is backed up with all options", async () => {
  const { diagnostics } = await act({
    pool: "blue",
    storage: "nas",
    mode: "stop",
    compression: "none",
    protected: true,
    notes_template: "{{guestname}} before the upgrade",
  });
  expect(diagnostics).toEqual([]);
  expect(backups()).toEqual([302, 303].map((id) => `nas:backup/vzdump-qemu-${id}-TIME.vma`));
  const made = bench.simulator.sim.world.volumes.filter(({ content }) => content === "backup");
  expect(made.map((volume) => [volume.notes, volume.protected])).toEqual([
    ["b before the upgrade", true],
    ["c before the upgrade", true],
  ]);
});

test("guests that fail are named, and the others are backed up", async () => {
  const guest = bench.simulator.sim.world.guests[303];
  if (guest) guest.config["lock"] = "migrate";
  const { diagnostics } = await act({ vmids: [301, 302, 303], storage: "nas" });
  expect(diagnostics).toMatchObject([{ severity: "ERROR", summary: "Some guests were not backed up" }]);
  expect(diagnostics[0]?.detail).toMatch(/^Guest 303: .*locked/);
  expect(backups()).toHaveLength(2);
});

test.each<[string, Record<string, string | number[]>, string]>([
  ["a guest that is not there", { vmids: [301, 999] }, "Guest `999` does not exist, or the caller may not see it."],
  ["a pool that is not there", { pool: "nope" }, "Pool `nope` does not exist"],
  ["an empty pool", { pool: "empty" }, "No guest is in pool `empty`"],
])("%s is refused before anything is backed up", async (_, selection, message) => {
  const { diagnostics } = await act({ ...selection, storage: "nas" } as Parameters<typeof act>[0]);
  expect(diagnostics[0]?.detail).toContain(message);
  expect(backups()).toEqual([]);
});

test("a storage that holds no backups is named by the task's text", async () => {
  const { diagnostics } = await act({ vmids: [301], storage: "local-lvm" });
  expect(diagnostics[0]?.detail).toContain("can't use storage 'local-lvm' for backups - wrong content type");
});

test("what takes too long is stopped", async () => {
  bench.simulator.faults.order({ do: "slow", task: "vzdump", seconds: 2_000 });
  const { diagnostics } = await act({ vmids: [301], storage: "nas", timeout: "300ms" });
  expect(diagnostics).toMatchObject([{ summary: "The backup is not complete" }]);
});

test.each([{}, { vmids: [301], pool: "blue" }])("%j is not exactly one selection", async (selection) => {
  const problems: string[] = [];
  const report = { error: (_: unknown, summary: string) => problems.push(summary) };
  const config = { vmids: null, pool: null, ...selection };
  await backupAction.validate?.({ config, report } as never);
  expect(problems).toEqual(["Which guests"]);
});
