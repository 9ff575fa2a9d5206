import { alternatives, type Session } from "#kit";
import { type Change, isPlaced } from "../../../guest/plan/checks/change.ts";
import { formatsOn } from "../../../guest/plan/checks/facts.ts";
import { checkStorage, type StorageUse as Use } from "../../../guest/plan/checks/storage.ts";
import { storageOf } from "../../../guest/volume.ts";
import { ownDrive } from "../../blocks/cloud-init-drive.ts";
import { fileOf, isCdrom, isCloudInit } from "../../blocks/drive-slots.ts";
import type { VmPlan } from "../../contexts.ts";
import { drivesIn, families } from "../../slots.ts";

/** Every storage that the plan begins to use. */
export async function checkStorages(context: VmPlan, api: Session, change: Change): Promise<void> {
  const seen = new Set<string>();
  for (const use of [...configuredUses(context, change), ...inheritedUses(context, change)]) {
    const key = JSON.stringify([use.path, use.storage, use.content, use.node]);
    if (seen.has(key)) continue;
    seen.add(key);
    await checkStorage(context, api, use);
  }
  await checkFormats(context, api, change);
}

const storageIn = (draft: Change["before"], slot: string | null): string | null =>
  slot !== null && draft.has(slot) ? storageOf(fileOf(draft, slot)) : null;

function configuredUses(context: VmPlan, change: Change): Use[] {
  const { config } = context;
  const { node, before, source } = change;
  const wanted = [
    ...drivesIn(config).map(({ path, slot, drive }) => ({ path, slot, storage: drive?.storage })),
    { path: ["cloud_init"], slot: ownDrive(before), storage: config.cloud_init?.storage },
  ];
  const uses = wanted.flatMap(({ path, slot, storage }): Use[] => {
    const isNew = storage && (isPlaced(context, change) || storageIn(before, slot) !== storage);
    return isNew ? [{ path: [...path, "storage"], storage, content: "images", node }] : [];
  });
  const memory = config.vm_state_storage;
  if (memory && (isPlaced(context, change) || before.raw("vmstatestorage") !== memory)) {
    uses.push({ path: ["vm_state_storage"], storage: memory, content: "images", node });
  }
  const target = source && config.clone?.storage;
  // A clone is made beside its source, and moved to its own node afterwards.
  const places = target ? [...new Set([source.node, node])] : [];
  const clone = places.map(
    (place): Use => ({ path: ["clone", "storage"], storage: target ?? "", content: "images", node: place }),
  );
  return [...clone, ...uses];
}

/** What comes with the template, or moves to another node with the VM. */
function inheritedUses(context: VmPlan, change: Change): Use[] {
  const { config, prior } = context;
  const { before, node, source } = change;
  if (!isPlaced(context, change) || (prior === null && !source) || config.clone?.storage === undefined) return [];
  if (node === undefined || node === source?.node) return [];
  const path = prior === null ? ["clone", "template"] : ["node"];
  const slots = before.slots({ ...families.volumes, ...(prior !== null && families.unused) });
  return slots.flatMap((slot): Use[] => {
    const storage = storageIn(before, slot);
    const isDisc = isCdrom(before, slot) && !isCloudInit(before, slot);
    return storage === null ? [] : [{ path, storage, content: isDisc ? "iso" : "images", node }];
  });
}

/** A format the storage cannot allocate; where a disk moves, PVE silently takes another one. */
async function checkFormats(
  { config, planned, report }: VmPlan,
  api: Session,
  { node, before }: Change,
): Promise<void> {
  // Without its line, the storage is the one that the disk goes back to.
  const targets = new Map(drivesIn(planned).map(({ slot, drive }) => [slot, drive?.storage]));
  for (const { path, slot, drive } of drivesIn(config)) {
    const storage = drive?.storage ?? targets.get(slot) ?? storageIn(before, slot);
    if (!drive?.format || !storage || node === undefined || drive.volume) continue;
    const isPresent = storageIn(before, slot) === storage && String(before.raw(slot)).includes(`.${drive.format},`);
    if (isPresent) continue;
    const supported = (await formatsOn(api, node)).get(storage);
    if (!supported || supported.includes(drive.format)) continue;
    report.error(
      [...path, "format"],
      "Format not available",
      `Storage \`${storage}\` cannot hold \`${drive.format}\` images. ${alternatives(
        drive.format,
        supported.filter((format) => format !== "subvol"),
      )} Leave \`format\` out to use the storage's own.`,
    );
  }
}
