import { afterEach, beforeEach, expect, it } from "vitest";
import { defaultSeed, type Simulator, startSimulator } from "#simulator";
import { run } from "../../../src/cli/sweep/sweep.ts";
import { type, variablesFor } from "./person.ts";

const disk = (vmid: number) => ({ scsi0: `local-lvm:vm-${vmid}-disk-0,size=1G` });
const guests = [
  { vmid: 301, node: "pve1", running: true, config: { name: "ci-web", ...disk(301) } },
  { vmid: 302, node: "pve2", config: { name: "ci-db", ...disk(302) } },
  {
    vmid: 303,
    node: "pve1",
    config: { name: "production", ...disk(303), scsi1: "local-lvm:vm-900000001-ci-used,size=1G" },
  },
  { vmid: 304, node: "pve1", config: { name: "ci-elsewhere", ...disk(304) } },
  { vmid: 305, node: "pve1", config: { name: "ci-kept", protection: 1, ...disk(305) } },
  { vmid: 306, node: "pve1", config: { name: "ci-template", template: 1, scsi0: "local-lvm:base-306-disk-0,size=1G" } },
  { vmid: 308, node: "pve1", config: { name: "other", ...disk(308) } },
  {
    vmid: 307,
    type: "lxc",
    node: "pve1",
    running: true,
    config: { hostname: "ci-dns", rootfs: "local-lvm:vm-307-disk-0,size=1G" },
  },
];
const backup = (time: string, notes: string) => ({
  volid: `nas:backup/vzdump-qemu-301-${time}.vma.zst`,
  size: "1M",
  notes,
});
const volumes = {
  iso_files: [
    { volid: "nas:iso/ci-answers.iso", size: "1M" },
    { volid: "nas:iso/debian.iso", size: "1M" },
    { volid: "local:iso/ci-elsewhere.iso", size: "1M", node: "pve1" },
  ],
  backups: [backup("2026_01_01-02_30_00", "ci-web"), backup("2026_01_02-02_30_00", "kept")],
  volumes: {
    "local-lvm": [
      { volume: "vm-900000000-ci-data", size: "1G" },
      { volume: "vm-900000001-ci-used", size: "1G" },
      { volume: "vm-900000002-data", size: "1G" },
    ],
  },
};
/** A user with what the help says, on the pool and nowhere else. */
const { acl, roles } = defaultSeed() as { acl: object[]; roles: object };
const limited = {
  roles: { ...roles, Sweeper: ["Pool.Audit", "VM.Allocate", "VM.Audit", "VM.PowerMgmt"] },
  acl: [...acl, { path: "/pool/ci", type: "user", ugid: "noacl@pve", roleid: "Sweeper" }],
};
const pools = [
  { poolid: "ci", vms: [301, 302, 303, 305, 306, 307] },
  { poolid: "ci/ci-empty", storage: ["local"] },
  { poolid: "ci/ci-full", vms: [308] },
  { poolid: "ci/other" },
];

let simulator: Simulator;
beforeEach(async () => {
  simulator = await startSimulator({ speed: 100, seed: { ...defaultSeed(), ...limited, ...volumes, guests, pools } });
});
afterEach(() => simulator.close());

const sweep = (...args: string[]) => type(run, args, variablesFor(simulator, "noacl@pve!tf"));
const left = () => Object.keys(simulator.sim.world.guests).map(Number);

it("lists what it would remove, and removes nothing", async () => {
  const seen = await sweep("--pool", "ci", "--prefix", "ci-");
  expect(seen).toMatchObject({ code: 0, stderr: "" });
  expect(seen.stdout).toMatch(
    /^301 \(ci-web\) +pve1 +running\n302 \(ci-db\) +pve2 +stopped\n305 .*stays: is protected\n307 .*\n306 /,
  );
  expect(left()).toEqual([301, 302, 303, 304, 305, 306, 307, 308]);
});

it("removes guests of the pool with the prefix, and no other", async () => {
  const seen = await sweep("--pool", "ci", "--prefix", "ci-", "--yes");
  expect(seen.stderr).toMatch(/^305 \(ci-kept\) stays: is protected\n306 \(ci-template\) stays: is a template\n/);
  expect(seen.stderr, "its pool needs one privilege more").toMatch(/pool ci\/ci-empty stays: .*Pool.Allocate/);
  expect(seen.code).toBe(1);
  expect(left()).toEqual([303, 304, 305, 306, 308]);
  const disks = simulator.sim.world.volumes.filter(({ vmid, content }) => vmid === 301 && content === "images");
  expect(disks).toEqual([]);
});

it("removes templates, pools, files, disks of no guest and backups only on request", async () => {
  const asked = [
    "--pool",
    "ci",
    "--prefix",
    "ci-",
    "--storage",
    "nas",
    "--storage",
    "local-lvm",
    "--templates",
    "--yes",
  ];
  const seen = await type(run, asked, variablesFor(simulator, "root@pam!admin"));
  expect(seen.code).toBe(1);
  expect(seen.stderr.split("\n")).toEqual([
    "305 (ci-kept) stays: is protected",
    "local-lvm:vm-900000001-ci-used stays: a guest uses it",
    "pool ci/ci-full stays: has guests: 308",
    "",
  ]);
  const volids = simulator.sim.world.volumes.map(({ volid }) => volid);
  for (const gone of ["nas:iso/ci-answers.iso", "local-lvm:vm-900000000-ci-data", volumes.backups[0]?.volid]) {
    expect(volids).not.toContain(gone);
  }
  const kept = ["nas:iso/debian.iso", "local:iso/ci-elsewhere.iso", "local-lvm:vm-900000002-data"];
  expect(volids).toEqual(expect.arrayContaining([...kept, volumes.backups[1]?.volid]));
  expect(Object.keys(simulator.sim.world.access.pools).sort()).toEqual(["ci", "ci/ci-full", "ci/other"]);
  expect(left()).toEqual([303, 304, 305, 308]);
});

it("looks again before it removes each guest", async () => {
  const { guests: world } = simulator.sim.world;
  const errors: string[] = [];
  /** Others rename one and protect another as soon as the first is gone. */
  const meddle = (text: string) => {
    if (!text.startsWith("301 (ci-web) was destroyed")) return;
    Object.assign(world[302]?.config ?? {}, { name: "production-2" });
    Object.assign(world[307]?.config ?? {}, { protection: "1" });
  };
  const context = {
    stdout: { write: meddle },
    stderr: { write: (text: string) => void errors.push(text) },
    env: variablesFor(simulator, "noacl@pve!tf"),
  };
  expect(await run(["--pool", "ci", "--prefix", "ci-", "--yes"], context)).toBe(1);
  expect(errors.join("")).toMatch(
    /302 \(ci-db\) stays: its name is production-2 now\n[\s\S]*307 .* stays: is protected/,
  );
  expect(left()).toEqual([302, 303, 304, 305, 306, 307, 308]);
});

it("says that nothing is left, and reports a guest that cannot be removed", async () => {
  expect(await sweep("--pool", "ci", "--prefix", "other-", "--yes")).toMatchObject({
    code: 0,
    stdout: 'Nothing in the pool "ci" has a name with "other-".\n',
  });
  simulator.faults.order({ do: "fail", task: "qmdestroy", times: 0, text: "dataset is busy" });
  const seen = await sweep("--pool", "ci", "--prefix", "ci-db", "--yes");
  expect(seen).toMatchObject({ code: 1, stderr: expect.stringMatching(/^302 \(ci-db\) stays: .*dataset is busy/) });
});

it.each([
  [["--prefix", "ci-"], "--pool POOL"],
  [["--pool", "ci"], "--prefix PREFIX"],
  [["--pool", "ci", "--prefix", "c"], "at least three characters"],
])("refuses %j", async (args, message) => {
  expect(await sweep(...args, "--yes")).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  expect(left()).toHaveLength(8);
});

it("refuses a pool that does not exist", async () => {
  expect(await sweep("--pool", "nowhere", "--prefix", "ci-", "--yes")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("pool 'nowhere' does not exist"),
  });
});

it("names a guest of an interrupted create that is not in its selection, and leaves it alone", async () => {
  const mark = "<!-- terraform-provider-proxmox: being made, 01234567-89ab-cdef-0123-456789abcdef -->";
  const guest = simulator.sim.world.guests[303];
  if (guest) guest.config["description"] = mark;
  const { stdout } = await sweep("--pool", "ci", "--prefix", "ci-", "--yes");
  expect(stdout).toMatch(/were interrupted, or are in progress; .*:\n {2}VM 303 \(production\) on pve1, stopped\n/);
  expect(left()).toContain(303);
});
