import { alternatives, canAudit, type Session } from "#kit";
import { type Change, isMovedOrGrown, isPlaced, isStarted } from "../../../guest/plan/checks/change.ts";
import { volumesOn } from "../../../guest/plan/checks/facts.ts";
import { checkStorage } from "../../../guest/plan/checks/storage.ts";
import { ownerOf, storageOf } from "../../../guest/volume.ts";
import { fileOf, isCdrom, isCloudInit, isDataDrive } from "../../blocks/drive-slots.ts";
import { contentOf, type VolumeContent } from "../../blocks/volume-content.ts";
import type { VmPlan } from "../../contexts.ts";
import { families, namedVolumes, pathOfVolume } from "../../slots.ts";

interface Wanted {
  readonly path: readonly string[];
  readonly volume: string;
}

/** Files and volumes that the plan begins to use: one list per storage and kind of content. */
export async function checkFiles(context: VmPlan, api: Session, change: Change): Promise<void> {
  const { node } = change;
  if (node === undefined) return;
  for (const { path, volume } of wantedVolumes(context, change)) {
    const storage = storageOf(volume);
    const content = contentOf(volume);
    if (storage === null || content === null || api.planned.has("file", volume)) continue;
    if (!(await checkStorage(context, api, { path, storage, content, node }))) continue;
    if (await canSee(api, storage, content, volume))
      await checkVolume(context, api, { path, volume, storage, content, node });
  }
}

function wantedVolumes(context: VmPlan, change: Change): Wanted[] {
  const { config } = context;
  const { before } = change;
  const isOther = (option: string, key: string | null, volume: string) =>
    isPlaced(context, change) || before.read({ option, key }) !== volume;
  const of = (path: readonly string[], volume: string | null | undefined, option: string, key: string | null) =>
    volume && isOther(option, key, volume) ? [{ path, volume }] : [];
  return [
    ...Object.entries(config.disks ?? {}).flatMap(([slot, disk]) => [
      ...(disk?.import_from && !before.has(slot)
        ? [{ path: ["disks", slot, "import_from"], volume: disk.import_from }]
        : []),
      ...of(["disks", slot, "volume"], disk?.volume, slot, "file"),
    ]),
    ...namedVolumes.flatMap(([name, slot]) => of([name, "volume"], config[name]?.volume, slot, "file")),
    ...Object.entries(config.cdroms ?? {}).flatMap(([slot, drive]) =>
      of(["cdroms", slot, "file"], drive?.file, slot, "file"),
    ),
    ...(["user", "network", "meta", "vendor"] as const).flatMap((kind) =>
      of(["cloud_init", "snippets", kind], config.cloud_init?.snippets?.[kind], "cicustom", kind),
    ),
    ...of(["hook_script"], config.hook_script, "hookscript", null),
    ...presentVolumes(context, change),
  ];
}

/** A VM that exists and is started where it is needs all its volumes, and one that is changed those that are moved or grown. */
function presentVolumes(context: VmPlan, change: Change): Wanted[] {
  const { before, after } = change;
  // One that moves has its volumes where it is.
  if (isPlaced(context, change)) return [];
  return (
    after
      .slots(families.volumes)
      .filter((slot) => before.has(slot) && fileOf(before, slot) === fileOf(after, slot))
      // Those of cloud-init are made for it.
      .filter((slot) => !isCloudInit(after, slot) && !isDataDrive(after, slot))
      .filter(
        (slot) => isStarted(context) || isMovedOrGrown(context.config.disks?.[slot], context.prior?.disks?.[slot]),
      )
      .map((slot) => ({
        path: isCdrom(after, slot) ? ["cdroms", slot, "file"] : [...pathOfVolume(slot), "volume"],
        volume: fileOf(after, slot),
      }))
  );
}

/** PVE lists a volume to who could use it only (pve-storage: src/PVE/Storage.pm, `check_volume_access`). */
async function canSee(api: Session, storage: string, content: VolumeContent, volume: string): Promise<boolean> {
  const path = `/storage/${storage}`;
  if (await canAudit(api, path, "Datastore.Allocate")) return true;
  if (content === "snippets" || !(await canAudit(api, path, "Datastore.Audit"))) return false;
  const owner = ownerOf(volume);
  return content !== "images" || (owner !== null && (await canAudit(api, `/vms/${owner}`, "VM.Config.Disk")));
}

interface Place extends Wanted {
  readonly storage: string;
  readonly content: VolumeContent;
  readonly node: string;
}

async function checkVolume({ report }: VmPlan, api: Session, place: Place): Promise<void> {
  const { path, volume, storage, content, node } = place;
  const volumes = await volumesOn.showing(api, [node, storage, content], has(volume));
  if (volumes === null || has(volume)(volumes)) return;
  report.error(
    path,
    content === "images" ? "No such volume" : "No such file",
    `\`${volume}\` does not exist on ${node}. ${alternatives(
      volume,
      volumes.map(({ volid }) => volid),
    )}`,
  );
}

const has =
  (volume: string) =>
  (volumes: readonly { readonly volid: string }[] | null): boolean =>
    volumes?.some(({ volid }) => volid === volume) ?? false;
