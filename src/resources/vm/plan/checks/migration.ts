import { ConfigDraft, type Session } from "#kit";
import { queryOf } from "../../../guest/context.ts";
import { isUp } from "../../../guest/is-up.ts";
import { directTarget } from "../../../guest/lifecycle/clone.ts";
import type { Change } from "../../../guest/plan/checks/change.ts";
import { isForeign, storageOf } from "../../../guest/volume.ts";
import { dataImageOwner, fileOf, isCdrom, isCloudInit } from "../../blocks/drive-slots.ts";
import type { VmPlan } from "../../contexts.ts";
import { families } from "../../slots.ts";
import { endingTies } from "../../ties.ts";
import { tiedBy } from "./migration-devices.ts";
import { keptVolumes } from "./migration-volumes.ts";
import { isLinkedClone } from "./source.ts";

/** Storages whose volumes name the base they are linked to (pve-storage: src/PVE/Storage/*Plugin.pm, `parse_volname`). */
const namesBase = ["dir", "zfspool", "btrfs"];

/**
 * What keeps a VM from moving to another node, by migration or after it was cloned beside its source (qemu-server:
 * src/PVE/QemuMigrate.pm, `scan_local_volumes`).
 */
export async function checkMigration(context: VmPlan, api: Session, change: Change): Promise<void> {
  const { prior, report } = context;
  const { node, source, before, after } = change;
  const from = prior === null ? source?.node : prior.node;
  if (node === undefined || from === undefined || from === node) return;
  if (source && (await directTarget(queryOf(context, api), source, node)).target !== undefined) return;
  const { storages } = await api.inventory.snapshot();
  const local = new Map(
    storages.filter((entry) => entry.node === from && !entry.shared).map((entry) => [entry.storage, entry.plugintype]),
  );
  // A clone is configured before it is moved; a VM that exists afterwards, except for what would keep it there.
  const moving = prior === null ? after : untied(before, after, isMovedLive(context));
  for (const { slot, file, isDisc } of drivesIn(moving)) {
    const type = local.get(storageOf(file) ?? "");
    const isHost = isDisc && file === "cdrom";
    const isLocalDisc = isDisc && type !== undefined && dataImageOwner(file) === null;
    const isInherited = fileOf(before, slot) === file;
    const isLinked =
      prior === null ? isInherited && isLinkedClone(context, source) : /base-\d+-[^/]*\/(\d+\/)?vm-/.test(file);
    if (isHost || isLocalDisc) {
      const what = isHost ? "the CD drive of its host" : `\`${file}\`, which is only on ${from}`;
      report.error(
        "node",
        "VM cannot move there",
        `The VM cannot be moved from ${from} to ${node} with ${what}, in \`${slot}\`. Put the image on a shared storage, or empty the drive: \`cdroms = { ${slot} = { file = "none" } }\`.`,
      );
    } else if (!isDisc && type !== undefined && isForeignTo(context, slot, file)) {
      report.error(
        "node",
        "VM cannot move there",
        `\`${slot}\` holds \`${file}\`, which does not belong to the VM and is on a storage that only ${from} has. Proxmox VE does not move such a VM. Detach the disk first, or use one on a shared storage.`,
      );
    } else if (!isDisc && isLinked && namesBase.includes(type ?? "")) {
      report.error(
        "node",
        "VM cannot move there",
        `\`${slot}\` is linked to a disk of its template, on a storage that is only on ${from}, so it cannot be moved to ${node}. ${prior === null ? "Set `clone.full = true`, or use a template on that node or on a shared storage." : "Move the disk to another storage first, which copies it."}`,
      );
    }
  }
  await checkTies(context, api, { node, from, moving, local });
}

interface Place {
  readonly node: string;
  readonly from: string;
  readonly moving: ConfigDraft;
  readonly local: ReadonlyMap<string, string | undefined>;
}

/** Devices, volumes and clones that tie the VM to its node. */
async function checkTies(context: VmPlan, api: Session, { node, from, moving, local }: Place): Promise<void> {
  const { prior, report } = context;
  const isRunning = isMovedLive(context);
  const refuse = (why: string) => report.error("node", "VM cannot move there", why);
  const tie = await tiedBy(api, moving, from, isRunning);
  if (tie !== null) refuse(`The VM cannot be moved from ${from} to ${node} ${tie}`);
  if (prior?.vmid === undefined) return;
  const vm = { node: from, vmid: prior.vmid };
  const isTemplate = prior.template === true;
  for (const why of await keptVolumes(api, { vm, draft: moving, isTemplate, local })) {
    refuse(`The VM cannot be moved from ${from} to ${node}. ${why}`);
  }
}

/** Where the plan stops it, that comes first. */
const isMovedLive = ({ config, prior }: VmPlan): boolean => isUp(prior) && config.power !== "stopped";

/** The VM when it moves: without the ties that the change ends. */
function untied(before: ConfigDraft, after: ConfigDraft, isRunning: boolean): ConfigDraft {
  const moving = new ConfigDraft(before.config, before.codecs);
  for (const option of endingTies(before, after, isRunning)) moving.set(option, after.raw(option));
  return moving;
}

/** A clone owns everything that it does not name. */
const isForeignTo = ({ config, prior }: VmPlan, slot: string, file: string): boolean =>
  prior === null ? config.disks?.[slot]?.volume === file : isForeign(file, prior.vmid);

const drivesIn = (draft: ConfigDraft) =>
  draft
    .slots(families.disks)
    .filter((slot) => !isCloudInit(draft, slot))
    .map((slot) => ({ slot, file: fileOf(draft, slot), isDisc: isCdrom(draft, slot) }));
