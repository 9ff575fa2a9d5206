import type { Session } from "#kit";
import { queryOf } from "../../../guest/context.ts";
import { directTarget } from "../../../guest/lifecycle/clone.ts";
import type { Change } from "../../../guest/plan/checks/change.ts";
import { storageOf } from "../../../guest/volume.ts";
import type { ContainerPlan } from "../../contexts.ts";
import { families, isHostPath, volumeAt } from "../../slots.ts";
import { isLinkedClone } from "./source.ts";

/** What keeps a container from moving to another node (pve-container: src/PVE/LXC/Migrate.pm). */
export async function checkMigration(context: ContainerPlan, api: Session, change: Change): Promise<void> {
  const { prior, report } = context;
  const { node, source, before, after } = change;
  const from = prior === null ? source?.node : prior.node;
  if (node === undefined || from === undefined || from === node) return;
  if (source && (await directTarget(queryOf(context, api), source, node)).target !== undefined) return;
  const { storages } = await api.inventory.snapshot();
  const local = new Set(storages.filter((entry) => entry.node === from && !entry.shared).map((entry) => entry.storage));
  // A clone is configured before it is moved; a container that exists after that.
  const moving = prior === null ? after : before;
  for (const slot of moving.slots(families.volumes)) {
    const volume = volumeAt(moving, slot);
    const isShared = moving.read({ option: slot, key: "shared" }) === true;
    const isLinked =
      prior === null ? isLinkedClone(context, source) : /base(vol)?-\d+-[^/]*\/(\d+\/)?(vm|subvol)-/.test(volume);
    if (isHostPath(volume) && !isShared) {
      report.error(
        "node",
        "Container cannot move there",
        `\`${slot}\` is \`${volume}\` of ${from}. If ${node} has the same at that path, set \`mounts.${slot}.shared = true\`; otherwise remove the mount first.`,
      );
    } else if (isLinked && local.has(storageOf(volume) ?? "")) {
      const cure =
        prior === null
          ? "Set `clone.full = true`, or use a template on that node or on a shared storage."
          : "Move the volume to another storage first, which copies it.";
      report.error(
        "node",
        "Container cannot move there",
        `\`${slot}\` is linked to a volume of its template, on a storage that is only on ${from}, so it cannot be moved to ${node}. ${cure}`,
      );
    }
  }
}
