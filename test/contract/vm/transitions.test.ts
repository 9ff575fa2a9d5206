import { afterAll, beforeAll, test } from "vitest";
import { pathOfOption } from "#kit";
import { defaultSeed } from "#simulator";
import { attributes } from "../../../src/resources/vm/attributes.ts";
import { isVolumeSlot } from "../../../src/resources/vm/slots.ts";
import { neverSmaller } from "../transitions/arbitraries.ts";
import type { Tree } from "../transitions/lines.ts";
import { type GuestRules, TransitionRun } from "../transitions/transition-run.ts";
import { type Transitions, transitions } from "./arbitrary-transition.ts";
import { isHarmless, type MeddlingName, meddlings } from "./meddlings.ts";
import { Bench } from "./suite.ts";

let bench: Bench;

/** A template with neither cloud-init drive nor agent, and with what others have not: a second disk, settings that are off. */
const plainTemplate = {
  vmid: 9003,
  config: {
    name: "plain",
    template: 1,
    ostype: "l26",
    memory: 1024,
    acpi: 0,
    numa: 0,
    balloon: 0,
    scsihw: "virtio-scsi-pci",
    scsi0: "nas:9003/base-9003-disk-0.qcow2,size=2G",
    scsi3: "nas:9003/base-9003-disk-1.qcow2,size=1G,backup=0",
    net0: "e1000=BC:24:11:00:90:03,bridge=vmbr0,tag=9",
    boot: "order=scsi0;net0",
    description: "plain",
    ciuser: "admin",
    smbios1: "uuid=00000000-0000-4000-8000-000000009003",
    vmgenid: "00000000-0000-4000-9000-000000009003",
  },
};

beforeAll(async () => {
  const base = defaultSeed() as { guests: object[] };
  const iso_files = ["local:iso/rescue.iso", "nas:iso/drivers.iso"];
  const pools = ["lab", "lab/inner", "prod"].map((poolid) => ({ poolid }));
  const seed = { ...base, iso_files, pools, guests: [...base.guests, plainTemplate] };
  bench = await Bench.open({ speed: 2000, as: "root@pam", seed });
  const image = { node: undefined, ctime: 1_767_225_600, size: 2 ** 28, content: "import" } as const;
  bench.simulator.sim.world.volumes.push(
    { ...image, volid: "nas:import/small.qcow2", format: "qcow2", virtualSize: 2 ** 30 },
    { ...image, volid: "nas:import/large.raw", format: "raw", virtualSize: 3 * 2 ** 30 },
  );
});

afterAll(() => bench.close());

/** `npm run fuzz:transitions` for the full run of 3,000. */
const cases = Number(process.env["CASES"] ?? 12);
const seed = Number(process.env["SEED"] ?? 4);

/** A disk cannot shrink, one that was moved and moved back is a full copy, and snapshots stay. */
function final(vmid: number): Readonly<Record<string, string>> {
  const { parent: _, ...options } = bench.comparable(vmid);
  const lines = Object.entries(options).map(([option, line]) => [
    option,
    line.replace(/,?size=\w+/, "").replace(/:[^,]*disk-\d+(?=[.,]|$)/, ":disk"),
  ]);
  const { access, ha } = bench.simulator.sim.world;
  const pool = Object.entries(access.pools).find(([, { vms }]) => vms.includes(vmid))?.[0];
  const resource = ha.resources[`vm:${vmid}`];
  return { ...Object.fromEntries(lines), ...(pool && { pool }), ...(resource && { ha: JSON.stringify(resource) }) };
}

function isSaid(option: string, staying: readonly string[]): boolean {
  const [name = option] = pathOfOption(attributes, option) ?? [];
  return staying.includes(name) || (isVolumeSlot(option) && staying.includes("disks"));
}

/** A disc in the slot of the template's cloud-init drive takes its place for good. */
const isDisplaced = ({ first, steps }: Transitions) =>
  [first, ...steps.map(({ config }) => config)].some(({ cdroms }) => "ide2" in ((cdroms ?? {}) as Tree));

/**
 * PVE forgets the volume of a cloud-init drive whose disc is changed (qemu-server: src/PVE/QemuServer.pm,
 * `vmconfig_update_disk`), and removes no volume at the end that no option names.
 */
const isForgotten = (volid: string, { first, steps }: Transitions) =>
  /cloudinit/.test(volid) &&
  (steps.some(({ meddling }) => meddling === "a disc takes the place of the cloud-init drive") ||
    (steps.some(({ meddling }) => meddling === "a disc is put in") &&
      [first, ...steps.map(({ config }) => config)].some(hasDriveAtIde0)));

/** Where the disc of another user is put in. */
const hasDriveAtIde0 = ({ cloud_init }: { cloud_init?: { slot?: string } | null }) => cloud_init?.slot === "ide0";

const rules = (): GuestRules<MeddlingName> => ({
  noun: "VM",
  bench,
  resource: bench.vm,
  nameOption: "name",
  written: (template, name, config) => ({ name, clone: { template }, ...config }),
  following: (before, after) => neverSmaller("disks", before, after),
  meddle: (what, vmid) => meddlings[what](bench, vmid),
  isUndoable: (given) => !isDisplaced(given) && given.steps.every(({ meddling }) => isHarmless(meddling)),
  final,
  isSaid,
  isOwn: (volid, vmid) => new RegExp(`\\bvm-${vmid}-|cloud-init-${vmid}-`).test(volid),
  isForgotten,
});

test(
  "a VM that runs or not can be changed into any other, whatever others have done to it",
  () => new TransitionRun(rules()).run(transitions, cases, seed),
  60_000 + cases * 10_000,
);
