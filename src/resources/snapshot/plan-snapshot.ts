import {
  checkPrivileges,
  checkReference,
  findSnapshot,
  isComplete,
  isPveError,
  type LocatedGuest,
  type PathLike,
  type Report,
  type Session,
} from "#kit";
import { existing, locatePlanned, snapshotType } from "./guest-snapshot.ts";

interface Values {
  readonly vmid?: number | undefined;
  readonly name?: string | undefined;
  readonly memory?: boolean | null | undefined;
  readonly has_memory?: boolean | undefined;
}

interface Plan {
  readonly config: Values;
  readonly prior: Values | null;
  readonly changes: ReadonlySet<string>;
  readonly report: Report;
  replace(path: "memory", reason: string): void;
}

const otherMemory =
  "A snapshot cannot get or lose the memory of the VM: it is removed, and another one is taken of the VM as it is then.";

/** What PVE would refuse in the apply, and what it would ignore. */
export async function planSnapshot({ config, prior, changes, report, replace }: Plan, api: Session): Promise<void> {
  const { vmid, name, memory } = config;
  if (prior !== null && changes.has("memory") && memory !== undefined && (memory ?? false) !== prior.has_memory) {
    replace("memory", otherMemory);
  }
  if (vmid === undefined || changes.size === 0) return;
  const need = (privilege: string) => ({
    privileges: [privilege],
    paths: [`/vms/${vmid}`],
    attribute: "vmid" as PathLike,
  });
  const isAllowed = await checkPrivileges({ report, api, needs: ["VM.Audit", "VM.Snapshot"].map(need) });
  if (prior !== null || !isAllowed) return;
  const guest = await locatePlanned(api, vmid);
  if (guest === null) {
    await checkReference(api, report, { kind: "guest", name: String(vmid), path: "vmid" });
    return;
  }
  await checkGuest(api, guest, memory === true, report);
  if (name === undefined || api.managed.has(snapshotType, `${vmid}/${name}`) || report.failed) return;
  const found = await findSnapshot(api, guest, name);
  if (found === null) return;
  if (!isComplete(found)) return checkRest(api, guest, name, report);
  const { summary, detail } = existing({ vmid, name });
  report.error("name", summary, detail);
}

/** A snapshot whose worker was killed: PVE keeps the rest of it, and mostly a lock that only root can remove. */
async function checkRest(api: Session, guest: LocatedGuest, name: string, report: Report): Promise<void> {
  const { type, vmid, node } = guest;
  const config = await (type === "qemu" ? api.qemu : api.lxc).findConfig(guest);
  if (config?.lock === undefined) {
    const detail = `The task that took snapshot \`${name}\` of guest ${vmid} was interrupted. What it has left is removed, and the snapshot is taken again.`;
    report.warning("name", "Incomplete snapshot is replaced", detail);
    return;
  }
  const unlock = `${type === "qemu" ? "qm" : "pct"} unlock ${vmid}`;
  const detail = `Snapshot \`${name}\` of guest ${vmid} is not complete, and the guest has the lock \`${config.lock}\`: a task is at work, or was interrupted. Wait for the task. If there is none, run \`${unlock}\` as root on ${node}, and apply again: what is left of the snapshot is removed, and the snapshot is taken again.`;
  report.error("name", "Snapshot is not complete", detail);
}

async function checkGuest(api: Session, guest: LocatedGuest, memory: boolean, report: Report): Promise<void> {
  const { vmid, type } = guest;
  const { guests } = await api.inventory.snapshot();
  if (guests.get(vmid)?.template) {
    report.error("vmid", "Guest is a template", `Guest ${vmid} is a template, of which no snapshot can be taken.`);
  }
  if (memory && type === "lxc") {
    const detail = "The memory of a container cannot be saved. Remove `memory`.";
    report.error("memory", "Only for VMs", detail);
  }
  if (type === "qemu") {
    const { status } = await api.qemu.getStatus(guest);
    if (memory && status !== "running") {
      const detail = `VM ${vmid} is ${status}, so there is no memory to save. If it still is at apply, the snapshot has none.`;
      report.warning("memory", "No memory to save", detail);
    }
  }
  if ((await canSnapshot(api, guest)) === false) {
    const files = type === "qemu" ? " Use qcow2 files, or" : " Use";
    const detail = `A volume of guest ${vmid} is on a storage that has no snapshots, or is a raw file on a directory.${files} a storage such as ZFS, Ceph or LVM-thin.`;
    report.error("vmid", "Snapshots are not possible", detail);
  }
}

/** Null: the caller may not ask. */
async function canSnapshot(api: Session, guest: LocatedGuest): Promise<boolean | null> {
  try {
    const calls = guest.type === "qemu" ? api.qemu : api.lxc;
    return (await calls.hasFeature(guest, { feature: "snapshot" })).hasFeature;
  } catch (reason) {
    if (!isPveError(reason)) throw reason;
    return null;
  }
}
