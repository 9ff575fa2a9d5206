import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { defaultSeed, type Simulator, startSimulator } from "#simulator";
import { run } from "../../../src/cli/doctor/doctor.ts";
import { newMark, withMark } from "../../../src/resources/guest/mark.ts";
import { type, variablesFor } from "./person.ts";

const meta = "creation-qemu=11.0.0,ctime=1767225600";
const grafana = { name: "monitoring-grafana", memory: 512, meta };

/** VMs that applies with a lost state leave behind. */
const guests = [
  { vmid: 110, node: "pve1", running: true, config: { ...grafana, scsi0: "local-lvm:vm-110-disk-0,size=32G" } },
  {
    vmid: 126,
    node: "pve2",
    config: {
      ...grafana,
      ...{ tags: "monitoring;web", protection: 1 },
      scsi0: "local-lvm:vm-126-disk-0,size=1536M",
      ide2: "local-lvm:vm-126-cloudinit,media=cdrom",
    },
  },
  { vmid: 130, node: "pve3", config: { ...grafana, description: withMark("", newMark()) } },
  { vmid: 140, node: "pve1", config: { name: "alone" } },
  { vmid: 201, node: "pve1", config: { name: "on-zfs", meta, scsi0: "local-zfs:vm-201-disk-0,size=8G" } },
  { vmid: 202, node: "pve1", config: { name: "on-zfs", meta, scsi0: "local-zfs:vm-202-disk-0,size=8G" } },
  { vmid: 150, type: "lxc", node: "pve1", config: { hostname: "alone", rootfs: "local-lvm:vm-150-disk-0,size=1G" } },
];

let simulator: Simulator;

beforeAll(async () => {
  const pools = [{ poolid: "ops", vms: [110] }];
  simulator = await startSimulator({ speed: 100, seed: { ...defaultSeed(), guests, pools } });
  const ages: Record<number, number> = { 110: 1_771_000_000, 126: 1_770_000_000 };
  for (const volume of simulator.sim.world.volumes) volume.ctime = ages[volume.vmid ?? 0] ?? volume.ctime;
});
afterAll(() => simulator.close());

const duplicates = (args: string[], token?: string) =>
  type(run, ["duplicates", ...args], variablesFor(simulator, token));

interface Printed {
  readonly duplicates: readonly { name: string; vms: readonly { vmid: number; made?: { evidence: string } }[] }[];
}

/**
 * Tasks of a VM, at these times; ZFS does not store when a volume was created, and clones copy the time of their
 * template.
 */
function remember(vmid: number, ...tasks: [type: string, starttime: number][]): void {
  for (const [type, starttime] of tasks) {
    const hex = (number: number) => number.toString(16).toUpperCase().padStart(8, "0");
    simulator.sim.world.tasks.push({
      upid: `UPID:pve1:${hex(starttime % 4096)}:00000001:${hex(starttime)}:${type}:${vmid}:root@pam:`,
      ...{ node: "pve1", pid: starttime % 4096, pstart: 1, starttime, type, id: String(vmid), user: "root@pam" },
      ...{ ended: starttime + 1, archived: starttime + 1, exitstatus: "OK", log: [] },
    });
  }
}

describe("VMs with the same name", () => {
  it("are listed with their differences, the oldest first", async () => {
    const { code, stdout } = await duplicates(["--json"]);
    expect(code).toBe(1);
    const { duplicates: groups } = JSON.parse(stdout) as Printed;
    expect(groups.map(({ name, vms }) => [name, vms.map(({ vmid }) => vmid)])).toEqual([
      ["monitoring-grafana", [130, 126, 110]],
      ["on-zfs", [201, 202]],
    ]);
    expect(groups[0]?.vms).toMatchObject([
      { vmid: 130, node: "pve3", status: "stopped", is_unfinished: true, disks: [] },
      {
        vmid: 126,
        ...{ node: "pve2", is_protected: true, is_unfinished: false, tags: ["monitoring", "web"] },
        disks: [{ slot: "scsi0", storage: "local-lvm", bytes: 1536 * 2 ** 20, created: 1_770_000_000 }],
        made: { at: 1_770_000_000, evidence: "disk" },
      },
      { vmid: 110, node: "pve1", status: "running", uptime: expect.any(Number), pool: "ops" },
    ]);
  });

  it("are as old as their disks: a clone copies the time in its template's configuration", async () => {
    const { duplicates: groups } = JSON.parse((await duplicates(["--json"])).stdout) as Printed;
    expect(groups[0]?.vms.map(({ vmid, made }) => [vmid, made?.evidence])).toEqual([
      [130, "meta"],
      [126, "disk"],
      [110, "disk"],
    ]);
  });

  it("are at least as old as their first task, if their storage does not store the time", async () => {
    remember(201, ["qmstart", 1_770_000_300], ["qmconfig", 1_770_000_200]);
    remember(202, ["qmstart", 1_760_000_000], ["qmdestroy", 1_760_000_100], ["qmstart", 1_770_000_100]);
    const { duplicates: groups } = JSON.parse((await duplicates(["--json"])).stdout) as Printed;
    expect(groups.find(({ name }) => name === "on-zfs")?.vms).toMatchObject([
      { vmid: 202, made: { at: 1_770_000_100, evidence: "task" } },
      { vmid: 201, made: { at: 1_770_000_200, evidence: "task" } },
    ]);
    expect((await duplicates([])).stdout).toMatch(/^ {2}201 .* by 2026-02-02 02:43 /m);
  });

  it("are followed by the commands to keep or remove each", async () => {
    const { stdout } = await duplicates([]);
    expect(stdout).toContain('"monitoring-grafana" is the name of 3 VMs:\n');
    expect(stdout).toMatch(/^ {2}110 +pve1 +running for \d+ \S+ +2026-02-13 16:26 +scsi0 32G on local-lvm +- +ops$/m);
    expect(stdout).toMatch(/^ {2}126 .* scsi0 1536M on local-lvm +monitoring web +- +protected$/m);
    expect(stdout).toMatch(/^ {2}130 .*2026-01-01 00:00 \? +none .*unfinished: the next apply resumes it$/m);
    expect(stdout).toContain('    import {\n      to = proxmox_vm.monitoring_grafana\n      id = "130"\n    }\n');
    expect(stdout).toContain("ssh root@pve1 'qm shutdown 110 --forceStop 1 && qm destroy 110 --purge'\n");
    expect(stdout).toContain("ssh root@pve2 'qm set 126 --protection 0 && qm destroy 126 --purge'\n");
  });

  it("are not changed", async () => {
    const before = JSON.stringify(simulator.sim.world.guests);
    await duplicates([]);
    expect(JSON.stringify(simulator.sim.world.guests)).toBe(before);
  });
});

it("no duplicates are the exit code 0", async () => {
  const { code, stdout } = await duplicates([], "noacl@pve!tf");
  expect({ code, stdout }).toEqual({ code: 0, stdout: "No two visible VMs share a name.\n" });
});

it("a cluster that cannot be read is reported in a sentence", async () => {
  const { code, stdout, stderr } = await type(run, ["duplicates"], {});
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toBe(
    "The cluster cannot be read: no endpoint is given: set `endpoint` or PROXMOX_VE_ENDPOINT. `doctor` shows the reason.\n",
  );
});
