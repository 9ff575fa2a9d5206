import { alternatives, checkReference, enumerate, type Session } from "#kit";
import { type Change, isPlaced } from "../../../guest/plan/checks/change.ts";
import { formatsOn } from "../../../guest/plan/checks/facts.ts";
import { storageOf } from "../../../guest/volume.ts";
import { ownDrive } from "../../blocks/cloud-init-drive.ts";
import { fileOf, isCdrom, isCloudInit } from "../../blocks/drive-slots.ts";
import type { VmPlan } from "../../contexts.ts";
import { drivesIn, families } from "../../slots.ts";

interface Use {
  readonly path: readonly string[];
  readonly storage: string;
  readonly content: "images" | "iso" | "import" | "snippets";
  readonly node: string | undefined;
}

/**
 * Refuses a storage that is not on the node, or is not set up for the content. Returns whether it can be looked at: one
 * that this plan makes cannot, and neither can one that is hidden from the caller.
 */
export async function checkStorage({ report }: VmPlan, api: Session, use: Use): Promise<boolean> {
  const { path, storage, content, node } = use;
  if (api.planned.has("storage", storage)) return false;
  const { storages } = await api.inventory.snapshot();
  const here = storages.filter((entry) => node === undefined || entry.node === node);
  const suitable = here.filter((entry) => entry.content?.includes(content) ?? true).map((entry) => entry.storage);
  const found = here.find((entry) => entry.storage === storage);
  if (found === undefined) {
    const among = { names: suitable, where: node === undefined ? "" : `on ${node}` };
    await checkReference(api, report, { kind: "storage", name: storage, path, among });
    return false;
  }
  if (!found.content || found.content.includes(content)) return true;
  report.error(
    path,
    "Storage does not take it",
    `Storage \`${storage}\` is set up for ${enumerate(found.content)}, not for \`${content}\`. Add \`${content}\` to its content, or use another one. ${alternatives(storage, suitable)}`,
  );
  return false;
}

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
  const slots = before.slots(families.volumes);
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
