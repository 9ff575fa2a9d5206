import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { defaultSeed } from "#simulator";
import { faultOfSchedule } from "../../../src/kit/schedule.ts";
import type { Input } from "../../harness/index.ts";
import { ResourceBench } from "../resource-bench.ts";

const guests = [101, 102].map((vmid) => ({ vmid, node: "pve1", config: { name: `web-${vmid}` } }));

let bench: ResourceBench;

beforeAll(async () => {
  bench = await ResourceBench.open({ seed: { ...defaultSeed(), guests, pools: [{ poolid: "blue", vms: [102] }] } });
});
afterEach(() => bench.configure());
afterAll(() => bench.close());

const job = () => bench.resource("proxmox_backup_job");
const options = () => bench.simulator.sim.world.backupJobs["nightly"]?.options;
const base = { id: "nightly", schedule: "21:00", storage: "nas" };

describe("a job that cannot be is refused in the plan", () => {
  test.each<[string, Record<string, Input>, string]>([
    ["no guest", { ...base }, "Exactly one of `all`, `pool`, `vmids` must be given, and none is"],
    ["two ways", { ...base, all: true, pool: "blue" }, "and `all`, `pool` are"],
    ["not all", { ...base, all: false }, "`all = false` selects no guest"],
    ["excluded without all", { ...base, vmids: [101], exclude: [102] }, "leaves guests out of `all = true`"],
    ["a line of cron", { ...base, all: true, schedule: "0 21 * * *" }, "It is not a line of cron"],
    ["an hour that does not exist", { ...base, all: true, schedule: "24:30" }, "`24` is more than 23"],
    ["a pool that does not exist", { ...base, pool: "bleu" }, "Pool `bleu` does not exist"],
    ["a storage that does not exist", { ...base, all: true, storage: "nsa" }, "Storage `nsa` does not exist"],
    ["a storage without backups", { ...base, all: true, storage: "local-lvm" }, "does not hold `backup`. These do: "],
    [
      "a storage that cannot hold images",
      { ...base, all: true, fleecing: { enabled: true, storage: "local" } },
      "Storage `local` does not hold `images`",
    ],
    ["fleecing to nowhere", { ...base, all: true, fleecing: { enabled: true } }, "Fleecing needs a storage"],
    ["notes without a storage", { id: "a1", schedule: "21:00", all: true, notes_template: "x" }, "only with `storage`"],
    ["a retention of nothing", { ...base, all: true, prune: { keep_last: 0 } }, "Nothing to keep"],
    ["a script of a token", { ...base, all: true, script: "/srv/hook" }, "Reserved for root@pam"],
    ["two places", { ...base, all: true, dump_directory: "/srv/dump" }, "`storage` or to `dump_directory`"],
  ])("%s", async (_, config, message) => {
    await expect(job().plan(null, config)).rejects.toThrow(message);
  });
});

test.each<[Record<string, Input>, string]>([
  [{ mail_notification: "failure" }, "Proxmox VE ignores `mail_notification`"],
  [{ notification_mode: "notification-system", mailto: ["a@example.com"] }, "Proxmox VE ignores `mailto`"],
  [{ notification_mode: "legacy-sendmail" }, "nothing is sent without `mailto`"],
])("%j is warned of", async (config, message) => {
  const [warning] = await job().validate({ ...base, all: true, ...config });
  expect(warning?.detail).toContain(message);
});

test("a guest that is not there is warned of", async () => {
  const { warnings } = await job().plan(null, { ...base, vmids: [101, 199] });
  expect(warnings).toMatchObject([
    { summary: "No such guest", detail: expect.stringContaining("sees no guest `199`") },
  ]);
});

test("one way to select guests becomes another", async () => {
  let now = await job().create({ ...base, all: true, exclude: [101] });
  expect(options()).toMatchObject({ all: "1", exclude: "101" });
  now = await job().update(now, { ...base, vmids: [101, 102] });
  expect(options()).toMatchObject({ vmid: "101,102" });
  now = await job().update(now, { ...base, pool: "blue" });
  expect(options()).toMatchObject({ pool: "blue" });
  now = await job().update(now, { ...base, all: true });
  expect(options()).toEqual({ enabled: "1", schedule: "21:00", storage: "nas", all: "1" });
  await job().destroy(now);
});

test("root@pam may set what is reserved", async () => {
  await bench.configure("root@pam");
  let now = await job().create({ ...base, all: true, script: "/srv/hook", temporary_directory: "/var/tmp" });
  expect(options()).toMatchObject({ script: "/srv/hook", tmpdir: "/var/tmp" });
  const { storage: _, ...elsewhere } = base;
  now = await job().update(now, { ...elsewhere, all: true, dump_directory: "/srv/dump" });
  expect(options()).toMatchObject({ dumpdir: "/srv/dump" });
  await job().destroy(now);
});

test("a job that went with its last guest is planned again", async () => {
  const now = await job().create({ ...base, vmids: [101] });
  delete bench.simulator.sim.world.backupJobs["nightly"];
  await bench.configure();
  expect(await job().find(now)).toBeNull();
});

test("a job of the web interface is imported with nothing left to change", async () => {
  bench.simulator.sim.world.backupJobs["old"] = {
    type: "vzdump",
    options: {
      schedule: "sat 03:00",
      vmid: "102,101",
      compress: "1",
      "prune-backups": "keep-daily=7,keep-last=2",
      mailto: "b@example.com a@example.com",
      enabled: "0",
    },
  };
  const now = await job().import({ id: "old" });
  await job().expectSettled(now, {
    id: "old",
    schedule: "sat 03:00",
    vmids: [101, 102],
    compression: "lzo",
    prune: { keep_last: 2, keep_daily: 7 },
    mailto: ["a@example.com", "b@example.com"],
    enabled: false,
  });
  await job().destroy(now);
});

test("what the check of schedules refuses, Proxmox VE refuses too, and the other way round", async () => {
  const texts = [
    "21:00",
    "mon,fri 2:5",
    "*-2-3",
    "sun..mon",
    "1..5/2:00",
    "UTC",
    "24:00",
    "x",
    "5,*",
    "mo 1:00",
    "1:2:3:4",
    "*/59",
    "*/70",
    "0/24:00",
    "*/13-1",
  ];
  for (const schedule of texts) {
    const { url, tokens } = bench.simulator;
    const answer = await bench.simulator.fetch(
      new Request(`${url}/api2/json/cluster/backup`, {
        method: "POST",
        headers: { authorization: `PVEAPIToken=${tokens["root@pam!admin"]}` },
        body: new URLSearchParams({ id: "tried", schedule, all: "1" }),
      }),
    );
    expect(answer.status === 200, schedule).toBe(faultOfSchedule(schedule) === undefined);
    delete bench.simulator.sim.world.backupJobs["tried"];
  }
});
