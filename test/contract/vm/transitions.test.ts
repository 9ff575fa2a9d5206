import { afterAll, beforeAll, test } from "vitest";
import { pathOfOption } from "#kit";
import { defaultSeed } from "#simulator";
import { attributes } from "../../../src/resources/vm/attributes.ts";
import { isVolumeSlot } from "../../../src/resources/vm/slots.ts";
import { neverSmaller } from "../transitions/arbitraries.ts";
import type { Tree } from "../transitions/lines.ts";
import { backedUp } from "../transitions/other-users.ts";
import { around, pools } from "../transitions/surroundings.ts";
import { type GuestRules, TransitionRun } from "../transitions/transition-run.ts";
import { type Transitions, transitions } from "./arbitrary-transition.ts";
import { isHarmless, type MeddlingName, meddlings } from "./meddlings.ts";
import { Bench } from "./suite.ts";

let bench: Bench;
let archive: string;

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

/** A VM that is no template, to be backed up. */
const backedUpVm = {
  vmid: 9004,
  config: {
    name: "model",
    ostype: "l26",
    memory: 2048,
    cores: 2,
    agent: 1,
    scsihw: "virtio-scsi-single",
    scsi0: "ceph:vm-9004-disk-0,discard=on,size=2G",
    virtio1: "local-lvm:vm-9004-disk-0,size=1G",
    ide2: "local-lvm:vm-9004-cloudinit,media=cdrom,size=4M",
    net0: "virtio=BC:24:11:00:90:04,bridge=vmbr0,firewall=1",
    boot: "order=scsi0",
    tags: "prod;web",
    smbios1: "uuid=00000000-0000-4000-8000-000000009004",
    vmgenid: "00000000-0000-4000-9000-000000009004",
  },
};

beforeAll(async () => {
  const base = defaultSeed() as { guests: object[] };
  const iso_files = ["local:iso/rescue.iso", "nas:iso/drivers.iso"];
  const seed = { ...base, iso_files, pools, guests: [...base.guests, plainTemplate, backedUpVm] };
  bench = await Bench.open({ speed: 2000, as: "root@pam", seed });
  const image = { node: undefined, ctime: 1_767_225_600, size: 2 ** 28, content: "import" } as const;
  bench.simulator.sim.world.volumes.push(
    { ...image, volid: "nas:import/small.qcow2", format: "qcow2", virtualSize: 2 ** 30 },
    { ...image, volid: "nas:import/large.raw", format: "raw", virtualSize: 3 * 2 ** 30 },
  );
  archive = await backedUp(bench, 9004);
});

afterAll(() => bench.close());

/** `npm run fuzz:transitions` for the full run of 3,000. */
const cases = Number(process.env["CASES"] ?? 12);
const seed = Number(process.env["SEED"] ?? 4);

/** One that is made from nothing has to say where its first disk is. */
function written(from: string, name: string, config: Tree): Tree {
  if (from === "archive") return { name, node: "pve1", restore: { archive }, ...config };
  if (from !== "nothing") return { name, clone: { template: from }, ...config };
  const disks = (config["disks"] ?? {}) as Tree;
  const scsi0 = { storage: "local-lvm", size: "2G", ...(disks["scsi0"] as Tree | undefined) };
  return { name, node: "pve1", ...config, disks: { ...disks, scsi0 } };
}

/**
 * A disk cannot shrink, one that was moved and moved back is a full copy, and snapshots stay. A VM without a boot order
 * boots from its first disk, which is what PVE chooses for a new one.
 */
function final(vmid: number): Readonly<Record<string, string>> {
  const { parent: _, boot = "order=scsi0", ...others } = bench.comparable(vmid);
  const options = { ...others, boot };
  const lines = Object.entries(options).map(([option, line]) => [
    option,
    line.replace(/,?size=\w+/, "").replace(/:[^,]*disk-\d+(?=[.,]|$)/, ":disk"),
  ]);
  return { ...Object.fromEntries(lines), ...around(bench, "qemu", vmid) };
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
  written,
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
