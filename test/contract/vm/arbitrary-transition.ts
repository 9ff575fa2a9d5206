import fc from "fast-check";
import { vmConfigs } from "./arbitrary-vm.ts";
import type { Bench, Input } from "./suite.ts";

type Given = Record<string, Input>;

/** What others do to a VM between two applies. */
export const meddlings = {
  nothing: () => {},
  "a change is left pending": (bench: Bench, vmid: number) => {
    const guest = bench.guest(vmid);
    // What the VM already has, PVE does not leave pending.
    if (guest.run) guest.pending.set["sockets"] = guest.config["sockets"] === "2" ? "1" : "2";
  },
  "a drive's change is left pending": (bench: Bench, vmid: number) => {
    const guest = bench.guest(vmid);
    const line = guest.config["scsi0"];
    if (guest.run && line) guest.pending.set["scsi0"] = `${line.replace(/,backup=\d/, "")},backup=0`;
  },
  "the guest stops": (bench: Bench, vmid: number) => {
    bench.guest(vmid).run = undefined;
  },
  "the guest agent is silent": (bench: Bench, vmid: number) => {
    bench.guest(vmid).behaviour.agent = false;
  },
  "the guest ignores ACPI": (bench: Bench, vmid: number) => {
    Object.assign(bench.guest(vmid).behaviour, { acpi: false, agent: false });
  },
  "a snapshot is taken": (bench: Bench, vmid: number) => {
    const guest = bench.guest(vmid);
    guest.snapshots["before"] = { ...guest.config, snaptime: "1767225600" };
    guest.config["parent"] = "before";
  },
} as const;

const one = <T>(...values: T[]) => fc.constantFrom(...values);
const drive = one("local-lvm", "local-zfs", "nas", "ceph");

/** Devices that need a stopped VM, or a restart, to come, go or move. */
const devices = fc.record(
  {
    tpm_state: drive.map((storage) => ({ storage, version: "v2.0" })),
    efi_disk: drive.map((storage) => ({ storage, type: "4m" })),
    hotplug: fc.uniqueArray(one("network", "disk", "usb", "cpu"), { maxLength: 4 }),
    cdroms: one({ ide0: { file: "none" } }, { ide3: { file: "none" } }, { ide2: { file: "none" } }),
  },
  { requiredKeys: [], noNullPrototype: true },
);
const cloudInitDrive = fc.record(
  { user: one("ops", "web"), slot: one("ide0", "ide2", "sata1"), storage: drive },
  { requiredKeys: ["user"], noNullPrototype: true },
);
const life = fc.record(
  {
    power: one("running", "stopped", "unmanaged"),
    restart_policy: one("never", "when_needed"),
    shutdown: one({ timeout: "0s" }, { timeout: "90s" }, { timeout: "10s", force: true }),
  },
  { requiredKeys: [], noNullPrototype: true },
);
const wait = fc.oneof({ weight: 5, arbitrary: one(null) }, { weight: 1, arbitrary: one("0s", "1s") });

/** A configuration of a VM, and what is to happen to it. */
const configs: fc.Arbitrary<Given> = fc
  .tuple(vmConfigs, devices, fc.option(cloudInitDrive, { nil: null, freq: 3 }), life, wait)
  .map(([config, more, cloudInit, lived, waited]) => {
    const { agent, cloud_init: written, ha: _ha, ...rest } = config;
    const agentOf = waited === null ? agent : { ...((agent as object | undefined) ?? { enabled: true }), wait: waited };
    const drives = cloudInit ?? written;
    return {
      ...rest,
      ...more,
      ...lived,
      ...(agentOf === undefined ? {} : { agent: agentOf }),
      ...(drives === undefined ? {} : { cloud_init: drives }),
    } as Given;
  });

export interface Transition {
  readonly config: Given;
  readonly meddling: keyof typeof meddlings;
}

const names = Object.keys(meddlings) as (keyof typeof meddlings)[];

export const transitions: fc.Arbitrary<{ readonly first: Given; readonly steps: readonly Transition[] }> = fc.record({
  first: configs,
  steps: fc.array(
    fc.record({
      config: configs,
      meddling: fc.oneof({ weight: 2, arbitrary: one(...names) }, { weight: 3, arbitrary: one("nothing" as const) }),
    }),
    { minLength: 1, maxLength: 3 },
  ),
});
