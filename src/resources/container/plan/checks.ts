import type { Session } from "#kit";
import type { Change } from "../../guest/plan/checks/change.ts";
import { checkNetworks } from "../../guest/plan/checks/network.ts";
import { checkNode } from "../../guest/plan/checks/place.ts";
import type { ContainerPlan } from "../contexts.ts";
import { checkBridges } from "./checks/cards.ts";
import { checkFiles } from "./checks/files.ts";
import { checkMigration } from "./checks/migration.ts";
import { checkMounts } from "./checks/mounts.ts";
import { checkReplication } from "./checks/replication.ts";
import { checkSource } from "./checks/source.ts";
import { checkStorages } from "./checks/storages.ts";

/**
 * Refuses, with the attribute named, what PVE would refuse in the middle of an apply. Unknown values are not judged,
 * objects that this plan creates count as existing, and a change is judged by what it changes.
 */
export async function checkChange(context: ContainerPlan, api: Session, change: Change): Promise<void> {
  checkMounts(context, change);
  checkBridges(context, change);
  await checkSource(context, api, change);
  if (!(await checkNode(context, api, change))) return;
  await checkStorages(context, api, change);
  await checkMigration(context, api, change);
  await checkNetworks(context, api, change, () => "is refused");
  await checkFiles(context, api, change);
  await checkReplication(context, api, change);
}
