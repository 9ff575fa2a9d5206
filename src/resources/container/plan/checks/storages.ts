import type { ConfigDraft, Session } from "#kit";
import { type Change, isPlaced } from "../../../guest/plan/checks/change.ts";
import { checkStorage, type StorageUse } from "../../../guest/plan/checks/storage.ts";
import { storageOf } from "../../../guest/volume.ts";
import type { ContainerPlan } from "../../contexts.ts";
import { families, mountsIn, volumeAt } from "../../slots.ts";

/** Every storage that the plan begins to use for volumes. */
export async function checkStorages(context: ContainerPlan, api: Session, change: Change): Promise<void> {
  const uses = new Map(
    [...configuredUses(context, change), ...inheritedUses(context, change)].map((use) => [JSON.stringify(use), use]),
  );
  for (const use of uses.values()) await checkStorage(context, api, use);
}

const storageIn = (draft: ConfigDraft, slot: string): string | null =>
  draft.has(slot) ? storageOf(volumeAt(draft, slot)) : null;

function configuredUses(context: ContainerPlan, change: Change): StorageUse[] {
  const { config } = context;
  const { node, before, source } = change;
  const uses = mountsIn(config).flatMap(({ path, slot, volume }): StorageUse[] => {
    const storage = volume?.storage;
    const isNew = storage && (isPlaced(context, change) || storageIn(before, slot) !== storage);
    return isNew ? [{ path: [...path, "storage"], storage, content: "rootdir", node }] : [];
  });
  const target = source && config.clone?.storage;
  // A clone is made on the node of its source, and then moved to its own.
  const places = target ? [...new Set([source.node, node])] : [];
  return [
    ...places.map(
      (place): StorageUse => ({ path: ["clone", "storage"], storage: target ?? "", content: "rootdir", node: place }),
    ),
    ...uses,
  ];
}

/** What comes with the template, or moves to another node with the container. */
function inheritedUses(context: ContainerPlan, change: Change): StorageUse[] {
  const { config, prior } = context;
  const { before, node, source } = change;
  if (!isPlaced(context, change) || (prior === null && !source) || config.clone?.storage === undefined) return [];
  if (node === undefined || node === source?.node) return [];
  const path = prior === null ? ["clone", "template"] : ["node"];
  return before.slots(families.volumes).flatMap((slot): StorageUse[] => {
    const storage = storageIn(before, slot);
    return storage === null ? [] : [{ path, storage, content: "rootdir", node }];
  });
}
