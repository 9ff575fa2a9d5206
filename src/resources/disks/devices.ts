import { enumerate, type Report, type Session } from "#kit";
import type { NodeDisk } from "#pve";

/** What is wrong with the path of a disk. */
export const deviceText = (device: string): string | undefined =>
  /^\/dev\/[\w/.:+-]+$/.test(device)
    ? undefined
    : "Must be the path of a disk, such as `/dev/sdb` or, better, `/dev/disk/by-id/…`, which stays the same.";

const isOf = ({ devpath, by_id_link }: NodeDisk, device: string): boolean =>
  devpath === device || by_id_link === device;

interface Check {
  readonly node: string;
  readonly devices: readonly string[];
  readonly attribute: string;
  /** Disks that are free by then: they belong to what is destroyed first. */
  readonly freed: readonly string[];
  /** What is planned on them, for messages. */
  readonly label: string;
}

/** What is planned on each disk: the node cannot know that yet. */
const plannedOn = (api: Session): Map<string, string> => api.store.keep("disks of nodes planned", () => new Map());

/** Refuses disks that are not there, are in use, or are named twice. */
export async function checkDisks(api: Session, check: Check, report: Pick<Report, "error">): Promise<void> {
  const { node, devices, attribute, freed, label } = check;
  const planned = plannedOn(api);
  const disks = await api.store.remember(`disks of ${node}`, () => api.nodeDisks.list(node));
  const isFree = ({ used, devpath }: NodeDisk) => used === undefined && !planned.has(`${node} ${devpath}`);
  const free = disks.filter(isFree).map((disk) => disk.by_id_link ?? disk.devpath);
  const others = free.length > 0 ? `These are not in use: ${enumerate(free)}.` : "No disk of the node is free.";
  const seen = new Set<NodeDisk>();
  for (const device of devices) {
    const disk = disks.find((one) => isOf(one, device));
    if (disk === undefined) {
      report.error(attribute, "No such disk", `Node ${node} has no disk \`${device}\`. ${others}`);
    } else if (seen.has(disk)) {
      report.error(attribute, "Disk is named twice", `\`${device}\` is ${disk.devpath}, which is named before.`);
    } else if (disk.used !== undefined && !freed.includes(device)) {
      const detail = `\`${device}\` of node ${node} is in use (${disk.used}), and what is on it would be lost. ${others} To use it anyway, wipe it on the node first.`;
      report.error(attribute, "Disk is in use", detail);
    }
    if (disk === undefined) continue;
    seen.add(disk);
    const key = `${node} ${disk.devpath}`;
    const other = planned.get(key) ?? label;
    if (other !== label) {
      const detail = `\`${device}\` of node ${node} is also for ${other}, which this configuration makes. ${others}`;
      report.error(attribute, "Disk is used twice", detail);
    } else planned.set(key, label);
  }
}
