import { type ConfigDraft, enumerate, type Session } from "#kit";
import type { GuestAddress } from "#pve";
import type { LeavingSlot } from "../../../guest/changes.ts";
import { fileOf } from "../../blocks/drive-slots.ts";
import type { VmPlan } from "../../contexts.ts";
import { drivesToMove } from "../../lifecycle/disks.ts";
import { pathOfVolume } from "../../slots.ts";

interface Touched {
  readonly vm: GuestAddress;
  readonly before: ConfigDraft;
  readonly leaving: readonly LeavingSlot[];
}

/** PVE neither moves nor deletes a volume that a snapshot needs, and makes no template of a VM that has one. */
export async function checkSnapshots(context: VmPlan, api: Session, { vm, before, leaving }: Touched): Promise<void> {
  const { planned, prior, report } = context;
  const moved = drivesToMove(planned, before).map(({ slot }) => ({
    slot,
    path: [...pathOfVolume(slot), "storage"],
    what: "moved",
  }));
  const deleted = leaving
    .filter(({ map, slot, isDeleted }) => map === "disks" && isDeleted && before.has(slot))
    .map(({ slot }) => ({ slot, path: ["disks"], what: "deleted" }));
  const becomesTemplate = planned.template === true && !prior?.template;
  if (moved.length + deleted.length === 0 && !becomesTemplate) return;
  const snapshots = await api.snapshots.list(vm);
  if (becomesTemplate && snapshots.length > 0) {
    const names = enumerate(snapshots.map(({ name }) => name));
    report.error(
      "template",
      "The VM has snapshots",
      `A VM with snapshots cannot become a template. Delete them first: ${names}.`,
    );
  }
  const configs = await Promise.all(snapshots.map(async ({ name }) => ({ name, lines: await linesOf(api, vm, name) })));
  for (const { slot, path, what } of [...moved, ...deleted]) {
    const volume = fileOf(before, slot);
    const users = configs.filter(({ lines }) => lines.some((line) => line.split(",")[0] === volume));
    if (users.length === 0) continue;
    report.error(
      path,
      "A snapshot needs the disk",
      `\`${slot}\` (${volume}) of VM ${vm.vmid} cannot be ${what} while a snapshot needs it. Delete first: ${enumerate(users.map(({ name }) => name))}.`,
    );
  }
}

const linesOf = async (api: Session, vm: GuestAddress, snapshot: string): Promise<string[]> =>
  Object.values((await api.qemu.getConfig(vm, { snapshot })).options).map(String);
