import {
  type ConfigDraft,
  canAudit,
  checkPrivileges,
  enumerate,
  type Need,
  patchWired,
  type Report,
  type Session,
} from "#kit";
import { addressOf } from "../address.ts";
import { parseArchiveName } from "../archive-name.ts";
import { type GuestPlan, queryOf } from "../context.ts";
import { type Archive, has, missingArchive, placesOf, readArchive } from "../lifecycle/archive.ts";
import { guestPrivileges } from "../privileges.ts";
import { runOf } from "../run.ts";
import { storageOf } from "../volume.ts";
import { volumesOn } from "./checks/facts.ts";
import { checkStorage, type StorageUse } from "./checks/storage.ts";
import { guardArchivedName } from "./guards.ts";
import { createNeeds } from "./needs/guest-needs.ts";
import { onPath, onStorage } from "./needs/need.ts";
import { planInherited, predict } from "./plan-copy.ts";
import { planNewOutputs } from "./plan-outputs.ts";
import { checkChangePrivileges } from "./privileges.ts";

const path = ["restore", "archive"];

/** The plan of a guest that is made from a backup: shows what the backup contains, and refuses what would fail. */
export async function planRestore(context: GuestPlan, api: Session, volume: string): Promise<void> {
  const { kind, config, report } = context;
  if (!(await checkPrivileges({ report, api, needs: needsOf(volume) }))) return;
  const node = await placeRestore(context, api, volume);
  if (node === null) return;
  const archive = await readArchive(queryOf(context, api), node, volume);
  const base = kind.restore.config(archive, config);
  const [before, after] = [kind.draft(api, base), kind.draft(api, base)];
  await guardArchivedName(context, api, before);
  patchWired(kind.settings, kind.plan.wanted(context), after);
  checkTemplate(context, before);
  await kind.restore.check(context, api, archive);
  const targets = await checkTargets(context, api, before, node);
  await warnOfTwins(context, api, archive, before);
  const dataNeeds = await kind.plan.predictData(context, api, after);
  await kind.plan.check(context, api, { node: context.planned.node, before, after }, []);
  const needs = [...createNeeds(context), ...targets, ...dataNeeds];
  await checkChangePrivileges(context, api, { before, after, from: "itself", needs });
  // While the target storage is unknown, nothing about the volumes is known.
  if (config.restore?.storage !== undefined) predict(context, before, after);
  planInherited(context, before, after);
  const { unique } = config.restore ?? {};
  planNewOutputs(context, after, { keepsMacs: unique === null || unique === false });
}

/** What reading a backup requires (pve-storage: src/PVE/Storage.pm, `check_volume_access`). */
function needsOf(volume: string): Need[] {
  const { vmid } = parseArchiveName(volume) ?? {};
  return [
    onStorage(guestPrivileges.readBackups, storageOf(volume) ?? "", path),
    ...(vmid ? [onPath(guestPrivileges.backUp, `/vms/${vmid}`, path)] : []),
  ];
}

/** The node on which the backup can be read. Null: there is none, or it cannot be looked at yet. */
async function placeRestore(context: GuestPlan, api: Session, volume: string): Promise<string | null> {
  const { config, report, kind } = context;
  const storage = storageOf(volume) ?? "";
  const use = { path, storage, content: "backup" } as const;
  if (config.node === undefined) return null;
  if (config.node) {
    const { node } = config;
    if (!(await canLookAt(context, api, { ...use, node }))) return null;
    if (await isThere(api, node, volume)) return node;
    const { summary, detail } = await missingArchive(api, node, volume);
    report.error(path, summary, detail);
    return null;
  }
  if (!(await canLookAt(context, api, { ...use, node: undefined }))) return null;
  const { asked, found } = await placesOf(api, volume);
  const [only, ...others] = found;
  if (only !== undefined && others.length === 0) {
    context.set("node", only);
    return only;
  }
  if (only === undefined && asked[0] !== undefined) {
    const { summary, detail } = await missingArchive(api, asked[0], volume);
    report.error(path, summary, detail);
    return null;
  }
  report.error(
    "node",
    "Node needed",
    `Choose the node of the ${kind.noun}: ${(found.length > 0 ? found : asked).join(", ")}.`,
  );
  return null;
}

/** A storage that is hidden from the caller may still be read. One that this plan creates cannot. */
async function canLookAt(context: GuestPlan, api: Session, use: StorageUse): Promise<boolean> {
  if (await checkStorage(context, api, use)) return true;
  return !context.report.failed && !api.planned.has("storage", use.storage);
}

/** A caller that may not list a storage cannot say that a backup is missing. */
async function isThere(api: Session, node: string, volume: string): Promise<boolean> {
  const storage = storageOf(volume) ?? "";
  if (!(await canAudit(api, `/storage/${storage}`, "Datastore.AllocateSpace"))) return true;
  const volumes = await volumesOn.showing(api, [node, storage, "backup"], has(volume));
  return volumes === null || has(volume)(volumes);
}

function checkTemplate({ config, kind, report }: GuestPlan, before: ConfigDraft): void {
  if (config.template !== false || Number(before.raw("template") ?? 0) !== 1) return;
  report.error(
    "template",
    "A template stays one",
    `The backup contains a template, and a template is restored from it. Remove \`template = false\`, and clone the template to have a ${kind.noun}.`,
  );
}

/** The storages that the volumes are restored to. Returns what that requires. */
async function checkTargets(context: GuestPlan, api: Session, before: ConfigDraft, node: string): Promise<Need[]> {
  const { kind, config } = context;
  const target = config.restore?.storage;
  if (target === undefined) return [];
  const content = kind.volumeContent as StorageUse["content"];
  const own = before.slots(kind.families.volumes).flatMap((slot) => {
    const isDisc = /media=cdrom/.test(String(before.raw(slot))) && !/cloudinit/.test(String(before.raw(slot)));
    return isDisc ? [] : (storageOf(kind.volumeAt(before, slot)) ?? []);
  });
  const storages = target === null ? [...new Set(own)] : [target];
  const place = target === null ? path : ["restore", "storage"];
  const cure = target === null ? " The backup has disks on it; `restore.storage` puts all of them on another one." : "";
  const report: Pick<Report, "error"> = {
    error: (at, summary, detail) => context.report.error(at, summary, `${detail}${cure}`),
  };
  for (const storage of storages) await checkStorage({ report }, api, { path: place, storage, content, node });
  return storages.map((storage) => onStorage(guestPrivileges.allocateSpace, storage, place));
}

/** Two guests with one MAC address disturb each other as soon as both run. */
async function warnOfTwins(context: GuestPlan, api: Session, { volume }: Archive, before: ConfigDraft): Promise<void> {
  const { kind, config, privateState, report } = context;
  const { vmid } = parseArchiveName(volume) ?? {};
  if (!vmid || config.restore?.unique !== null || vmid === config.vmid || vmid === privateState.replacing) return;
  const original = (await api.inventory.snapshot()).guests.get(vmid);
  if (original?.type !== kind.type || runOf(api).intents.get(vmid)?.isKept === false) return;
  const there = await kind.calls(api).findConfig(addressOf(original));
  if (there === null) return;
  const taken = new Set(Object.values(kind.macAddresses(kind.draft(api, there.options))));
  const twins = Object.entries(kind.macAddresses(before)).filter(([, mac]) => taken.has(mac));
  if (twins.length === 0) return;
  report.warning(
    "restore.unique",
    "MAC addresses exist twice",
    `${kind.title} ${vmid}, which was backed up, still exists, and the restored ${kind.noun} has its MAC addresses: ${enumerate(twins.map(([slot, mac]) => `${slot} ${mac}`))}. Set \`unique = true\` to have new ones, or \`unique = false\` if only one of them is to run.`,
  );
}
