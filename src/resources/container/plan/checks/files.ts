import { alternatives, canAudit, type Session } from "#kit";
import { type Change, isMovedOrGrown, isPlaced, isStarted } from "../../../guest/plan/checks/change.ts";
import { volumesOn } from "../../../guest/plan/checks/facts.ts";
import { checkStorage, type StorageUse } from "../../../guest/plan/checks/storage.ts";
import { storageOf } from "../../../guest/volume.ts";
import type { ContainerPlan } from "../../contexts.ts";
import { families, volumeAt } from "../../slots.ts";

interface Wanted {
  readonly path: readonly string[];
  readonly volume: string;
  readonly content: StorageUse["content"];
}

/** The image, the hook script and the volumes that the plan begins to use. */
export async function checkFiles(context: ContainerPlan, api: Session, change: Change): Promise<void> {
  const { node } = change;
  checkOwners(context, change);
  if (node === undefined) return;
  for (const wanted of wantedFiles(context, change)) {
    const { path, volume, content } = wanted;
    const storage = storageOf(volume);
    if (storage === null || api.planned.has("file", volume)) continue;
    if (!(await checkStorage(context, api, { path, storage, content, node }))) continue;
    const right = content === "snippets" ? "Datastore.Allocate" : "Datastore.Audit";
    if (await canAudit(api, `/storage/${storage}`, right))
      await checkVolume(context, api, { ...wanted, storage, node });
  }
}

function wantedFiles(context: ContainerPlan, change: Change): Wanted[] {
  const { config, prior } = context;
  const { before } = change;
  const image = prior === null ? config.image?.volume : null;
  const hook = config.hook_script;
  const isOtherHook = hook && (isPlaced(context, change) || before.raw("hookscript") !== hook);
  return [
    ...(image ? [{ path: ["image", "volume"], volume: image, content: "vztmpl" } as const] : []),
    ...(isOtherHook ? [{ path: ["hook_script"], volume: hook, content: "snippets" } as const] : []),
    ...[...newVolumes(context, change), ...presentVolumes(context, change)].map(({ slot, volume }) => ({
      path: ["mounts", slot, "volume"],
      volume,
      content: "rootdir" as const,
    })),
  ];
}

/** A container that exists and is started where it is needs all its volumes, and one that is changed those that are moved or grown. */
function presentVolumes(context: ContainerPlan, change: Change) {
  const { before, after } = change;
  // One that moves has its volumes where it is.
  if (isPlaced(context, change)) return [];
  return after
    .slots(families.volumes)
    .map((slot) => ({ slot, volume: volumeAt(after, slot) }))
    .filter(({ slot, volume }) => before.has(slot) && volumeAt(before, slot) === volume)
    .filter(
      ({ slot }) => isStarted(context) || isMovedOrGrown(context.config.mounts?.[slot], context.prior?.mounts?.[slot]),
    );
}

const newVolumes = ({ config }: ContainerPlan, { before }: Change) =>
  Object.entries(config.mounts ?? {}).flatMap(([slot, mount]) =>
    mount?.volume && volumeAt(before, slot) !== mount.volume ? [{ slot, volume: mount.volume }] : [],
  );

/** PVE mounts the volume of another guest without a question, and both then write to it. */
function checkOwners(context: ContainerPlan, change: Change): void {
  const { config, prior, report } = context;
  const vmid = prior?.vmid ?? config.vmid;
  for (const { slot, volume } of newVolumes(context, change)) {
    const owner = [...volume.matchAll(/(?:^|[:/])(?:vm|base|subvol|basevol)-(\d+)-/g)].at(-1)?.[1];
    if (owner === undefined || vmid === undefined || Number(owner) === vmid) continue;
    report.error(
      ["mounts", slot, "volume"],
      "Volume of another guest",
      `\`${volume}\` belongs to guest ${owner}. A file system that two guests mount is damaged: move the volume to this container on the node (\`pct move-volume ${owner} … --target-vmid ${vmid ?? "VMID"}\`), or use another one.`,
    );
  }
}

type Seen = (volumes: readonly { readonly volid: string }[] | null) => boolean;

/**
 * PVE lists a volume under `rootdir` only if its VMID is that of a container: one that was allocated beforehand is an image, and a
 * storage without that content lists it nowhere (pve-storage: src/PVE/Storage/Plugin.pm, `list_volumes`).
 */
async function isAmongImages(api: Session, place: { readonly storage: string; readonly node: string }, has: Seen) {
  const { storages } = await api.inventory.snapshot();
  const found = storages.find(({ node, storage }) => node === place.node && storage === place.storage);
  if (!found?.content?.includes("images")) return true;
  const images = await volumesOn.showing(api, [place.node, place.storage, "images"], has);
  return images === null || has(images);
}

async function checkVolume(
  { report }: ContainerPlan,
  api: Session,
  { path, volume, content, storage, node }: Wanted & { readonly storage: string; readonly node: string },
): Promise<void> {
  const has = (volumes: readonly { readonly volid: string }[] | null) =>
    volumes?.some(({ volid }) => volid === volume) ?? false;
  const volumes = await volumesOn.showing(api, [node, storage, content], has);
  if (volumes === null || has(volumes)) return;
  if (content === "rootdir" && (await isAmongImages(api, { storage, node }, has))) return;
  const names = volumes.map(({ volid }) => volid);
  report.error(
    path,
    content === "rootdir" ? "No such volume" : "No such file",
    `\`${volume}\` does not exist on ${node}. ${alternatives(volume, names)}`,
  );
}
