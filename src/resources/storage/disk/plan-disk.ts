import {
  attachmentsOf,
  bytesOf,
  checkPrivileges,
  isSharedStorage,
  type Need,
  needsToGrow,
  type PathLike,
  persistentDisks,
  type Report,
  type Session,
  sizeOf,
} from "#kit";
import { needsToRemove } from "../file-place.ts";
import { type DiskId, diskType, existing, findVolume, idOf, partsOf, plannedDisks } from "./disk-volume.ts";
import { resolveDisk, type WantedDisk } from "./resolve-disk.ts";
import { attachedTo, isProtected } from "./texts.ts";

interface Prior {
  readonly storage?: string | undefined;
  readonly node?: string | undefined;
  readonly name?: string | undefined;
  readonly size?: string | undefined;
  readonly format?: string | undefined;
  readonly owner?: number | undefined;
  readonly volume?: string | undefined;
  readonly vmid?: number | null | undefined;
  readonly destroy_data?: boolean | null | undefined;
}

interface Plan {
  readonly config: WantedDisk & {
    readonly size: string | undefined;
    readonly on_existing: string | null | undefined;
  };
  readonly prior: Prior | null;
  readonly privateState: { size: string | null };
  readonly report: Report;
  readonly signal: AbortSignal;
  set(path: readonly string[], value: unknown): void;
  setUnknown(path: PathLike): void;
  keep(path: PathLike): void;
  replace(path: PathLike, reason: string): void;
}

/** pve-storage: src/PVE/API2/Storage/Content.pm, `create`; src/PVE/Storage.pm, `check_volume_access`. */
const needsToMake = (storage: string): Need[] => [
  { privileges: ["Datastore.AllocateSpace"], paths: [`/storage/${storage}`], attribute: "storage" },
  { privileges: ["Datastore.Allocate"], paths: [`/storage/${storage}`], attribute: "storage" },
];

/** What PVE would refuse in the apply, and what would destroy data. */
export function planDisk(context: Plan, api: Session): Promise<void> {
  const { prior } = context;
  return prior === null ? planNew(context, api) : planChange(context, api, prior);
}

async function planNew(context: Plan, api: Session): Promise<void> {
  const { config, report } = context;
  const { node, owner, parts, volume } = await resolveDisk(api, report, config);
  if (owner !== undefined) context.set(["owner"], owner);
  if (node !== undefined && config.node === null) context.set(["node"], node);
  if (parts !== undefined && config.format === null) context.set(["format"], parts.format);
  context.set(["vmid"], null);
  context.set(["slot"], null);
  if (volume !== undefined) context.set(["volume"], volume);
  if (volume !== undefined && node !== undefined) await expectDisk(context, api, { node, volume });
  if (config.storage) await checkPrivileges({ report, api, needs: needsToMake(config.storage) });
  if (volume === undefined || node === undefined || report.failed) return;
  const id = { node, volume };
  if (guardTwins(api, report, id) && !api.managed.has(diskType, idOf(id))) await guardExisting(context, api, id);
}

/** A VM may refer to the disk. If the disk is refused, that is one error: the VM has no second one about a missing volume. */
async function expectDisk({ config }: Plan, api: Session, { node, volume }: DiskId): Promise<void> {
  const isShared = await isSharedStorage(api, config.storage ?? "");
  if (config.size) persistentDisks(api).set(volume, { node: isShared ? null : node, size: config.size });
  api.planned.add("file", volume);
}

/** Two resources that create the same volume: the cluster cannot know that yet. */
function guardTwins(api: Session, report: Report, id: DiskId): boolean {
  const planned = plannedDisks(api);
  const key = idOf(id);
  if (planned.has(key)) {
    const detail = `Another resource of this configuration creates \`${id.volume}\`. Give each disk its own \`name\`.`;
    report.error("name", "Two disks of one name", detail);
    return false;
  }
  planned.add(key);
  return true;
}

async function guardExisting({ config, report }: Plan, api: Session, id: DiskId): Promise<void> {
  const found = await findVolume(api, id);
  if (found === null || config.on_existing === undefined) return;
  if (config.on_existing === "adopt") {
    const detail = `\`${id.volume}\` (${sizeOf(found.bytes)}) exists on ${id.node} and is taken over with its data.`;
    report.warning("on_existing", "Existing disk", detail);
    return;
  }
  const { summary, detail } = existing(id, found.bytes);
  report.error("name", summary, detail);
}

async function planChange(context: Plan, api: Session, prior: Prior): Promise<void> {
  const { config, report } = context;
  const isShared = prior.storage !== undefined && (await isSharedStorage(api, prior.storage));
  // On a shared storage another node is another way to the same disk.
  if (isShared && config.node && config.node !== prior.node) context.keep("node");
  planFixed(context, prior, isShared);
  planSize(context, prior);
  const size = context.config.size ?? prior.size;
  if (prior.volume !== undefined && size !== undefined && !report.failed) {
    const node = isShared ? null : (prior.node ?? null);
    const isGrown = (bytesOf(size) ?? 0) > (bytesOf(prior.size ?? "") ?? 0);
    const { isRefreshed = false } = persistentDisks(api).get(prior.volume) ?? {};
    persistentDisks(api).set(prior.volume, { node, size: isGrown ? size : (prior.size ?? size), isGrown, isRefreshed });
    const { storage = "", owner = 0 } = partsOf(prior.volume) ?? {};
    const needs = isGrown ? await needsToGrow(api, { storage, owner, vmid: prior.vmid ?? null }) : [];
    await checkPrivileges({ report, api, needs });
    if (prior.vmid) await planLeftGrower(context, api, { volume: prior.volume, node }, prior.vmid);
  }
}

const nowhere =
  "Proxmox VE copies a disk only for the VM that it is attached to, and the copy would belong to that VM and be destroyed with it. To use another storage, add a second `proxmox_disk` there, attach both, copy the data in the guest, and then remove this one.";

/** What a volume is made with cannot be changed; another volume in its place would be empty. */
function planFixed({ config, prior, report, replace }: Plan, before: Prior, isShared: boolean): void {
  const fixed = [
    ["storage", `A disk cannot be moved to another storage. ${nowhere}`],
    ["name", "The name is part of the volume, which cannot be renamed."],
    ["format", "The format of a volume cannot be changed."],
    ["owner", "The owner is part of the volume, which cannot be renamed."],
    ...(isShared ? [] : [["node", `A disk cannot be moved to another node. ${nowhere}`] as const]),
  ] as const;
  for (const [attribute, reason] of fixed) {
    const [now, wanted] = [before[attribute], config[attribute]];
    if (wanted === null || wanted === undefined || now === undefined || wanted === now) continue;
    if (prior?.destroy_data === true) {
      replace(attribute, `\`${before.volume}\` is destroyed WITH ALL DATA, and a new, empty disk is made. ${reason}`);
    } else {
      const detail = `It is ${now} and cannot become ${wanted}. ${reason} To destroy the disk with its data and make an empty one, apply \`destroy_data = true\` first.`;
      report.error(attribute, "Fixed when it was made", detail);
    }
  }
}

function planSize(context: Plan, prior: Prior): void {
  const { config, privateState, report } = context;
  const [wanted, now] = [bytesOf(config.size ?? ""), bytesOf(prior.size ?? "")];
  if (wanted === null || now === null || wanted >= now) return;
  const applied = bytesOf(privateState.size ?? "");
  if (applied !== null && wanted >= applied) {
    context.keep("size");
    const detail = `\`${prior.volume}\` is ${prior.size}: it was grown outside of Terraform, and a disk cannot shrink. It stays as it is. Write \`size = "${prior.size}"\`.`;
    report.warning("size", "Disk has grown", detail);
    return;
  }
  const detail = `\`${prior.volume}\` is ${prior.size} and cannot become ${config.size}. Make it at least ${prior.size}.`;
  report.error("size", "Disks cannot shrink", detail);
}

/** A VM that exists only to grow the disk, left by an interrupted run, is removed by the apply. */
async function planLeftGrower(
  context: Plan,
  api: Session,
  place: { readonly volume: string; readonly node: string | null },
  vmid: number,
): Promise<void> {
  const holder = await attachmentsOf(api).in(vmid, place);
  if (!holder?.isTemporary) return;
  context.setUnknown("vmid");
  context.setUnknown("slot");
  const detail = `VM ${vmid} exists only to grow \`${place.volume}\`, and an interrupted run has left it. This apply destroys it; the disk stays.`;
  context.report.warning(null, "A temporary VM is removed", detail);
}

interface PlanDelete {
  readonly id: DiskId;
  readonly state: Prior;
  readonly isReplaced: boolean;
  readonly report: Report;
  readonly signal: AbortSignal;
}

/** Refuses to destroy data that was not given up, and says in so many words what is destroyed. */
export const planDiskDelete = (context: PlanDelete, api: Session): Promise<void> =>
  attachmentsOf(api).work.during(() => checkRemoval(context, api));

async function checkRemoval({ id, state, isReplaced, report, signal }: PlanDelete, api: Session): Promise<void> {
  const { volume } = id;
  if (state.destroy_data !== true) {
    const { summary, detail } = isProtected(volume);
    report.error("destroy_data", summary, detail);
    return;
  }
  const storage = state.storage ?? "";
  await checkPrivileges({ report, api, needs: needsToRemove(storage) });
  report.warning(null, "All data is destroyed", `\`${volume}\` (${state.size}) is destroyed with everything on it.`);
  const place = { volume, node: (await isSharedStorage(api, storage)) ? null : id.node };
  // Terraform destroys the disk before it changes the VM that had it.
  const remaining = await attachmentsOf(api).remaining(place, signal);
  const holders = remaining.filter(({ isTemporary }) => !isTemporary);
  const holder = holders.find(({ isCertain }) => isCertain) ?? holders[0];
  if (holder === undefined) return;
  const { summary, detail } = await attachedTo(api, volume, holder);
  // A VM that will have the new disk is planned afterwards, and stays.
  if (isReplaced || holder.isCertain) report.error(null, summary, detail);
  else report.warning(null, summary, `${detail} Unless this run frees the disk before, its removal will be refused.`);
}
