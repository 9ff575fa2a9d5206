import { checkReference, enumerate, type Report, type Session } from "#kit";
import type { GuestResource } from "#pve";
import { parseJobId } from "./job-id.ts";

interface Job {
  readonly id?: string | undefined;
  readonly target?: string | undefined;
}

/** What PVE would refuse in the apply. A guest of the same plan cannot be looked at yet. */
export async function checkJob(api: Session, { id, target }: Job, report: Pick<Report, "error">): Promise<void> {
  const job = id === undefined ? null : parseJobId(id);
  if (job === null) return;
  const { guests } = await api.inventory.snapshot();
  const guest = guests.get(job.vmid);
  if (guest === undefined) {
    await checkReference(api, report, { kind: "guest", name: String(job.vmid), path: "id" });
    return;
  }
  if (guest.node === target) {
    const detail = `Guest ${job.vmid} is on node ${target} itself. Choose another node as its target.`;
    report.error("target", "Target is the source", detail);
  }
  const jobs = await api.store.remember("/cluster/replication", () => api.replication.list());
  const rival = jobs.find((one) => one.guest === job.vmid && one.target === target && one.id !== id);
  if (rival !== undefined && rival.remove_job === undefined) {
    const detail = `Job ${rival.id} already copies guest ${job.vmid} to ${target}; a guest has one job for each target. Import that one, or choose another target.`;
    report.error("target", "Target has a job", detail);
  }
  await checkVolumes(api, guest, report);
}

const disk = /^(scsi|virtio|sata|ide|efidisk|tpmstate|mp)\d+$|^rootfs$/;

/** Every local volume must be on ZFS, or be left out of replication. */
async function checkVolumes(api: Session, guest: GuestResource, report: Pick<Report, "error">): Promise<void> {
  const address = { node: guest.node, vmid: guest.vmid };
  const calls = guest.type === "qemu" ? api.qemu : api.lxc;
  const { options } = await calls.getConfig(address);
  const { storages } = await api.inventory.snapshot();
  const volumes = Object.entries(options).flatMap(([slot, value]) => {
    const [, storage] = disk.test(slot) ? (/^([A-Za-z][\w.-]*):/.exec(String(value)) ?? []) : [];
    if (storage === undefined || /,replicate=0\b|,media=cdrom\b/.test(String(value))) return [];
    const place = storages.find((one) => one.storage === storage && one.node === guest.node);
    // A storage that the caller may not see may be of any type.
    return place?.shared ? [] : [{ slot, storage, type: place?.plugintype }];
  });
  const unfit = volumes.filter(({ type }) => type !== undefined && type !== "zfspool");
  const [first] = unfit;
  if (first !== undefined) {
    const detail = `Replication copies ZFS volumes only. ${enumerate(unfit.map(({ slot, storage }) => `${slot} (on ${storage})`))} of guest ${guest.vmid} would stop it. Move them to a \`zfspool\` storage, or leave them out with \`replicate = false\`.`;
    report.error("id", "Volume cannot be replicated", detail);
  } else if (volumes.length === 0) {
    const detail = `Guest ${guest.vmid} has no local volume on a \`zfspool\` storage, so there is nothing to copy.`;
    report.error("id", "Nothing to replicate", detail);
  }
}
