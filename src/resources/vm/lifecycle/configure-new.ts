import type { ConfigDraft } from "#kit";
import type { GuestAddress } from "#pve";
import { configure } from "../../guest/lifecycle/configure.ts";
import { configOf } from "../../guest/lifecycle/known.ts";
import type { VmSettle } from "../contexts.ts";
import { restoreBootOrder } from "./boot-order.ts";
import { refuseLargeImages } from "./image-size.ts";
import { vacateDrive } from "./own-drive.ts";

interface Configuring {
  readonly isRunning: boolean;
  readonly edit: (draft: ConfigDraft) => void;
}

/** One call for devices and settings: PVE checks the boot order against all of them. */
export async function configureNewVm(
  context: VmSettle,
  vm: GuestAddress,
  { isRunning, edit }: Configuring,
): Promise<ConfigDraft> {
  const { api, desired, handover } = context;
  const known = handover.config;
  const foreseen = api.draft(known.options);
  edit(foreseen);
  const isCleared = await vacateDrive(context, vm, { present: api.draft(known.options), foreseen, isRunning });
  const { draft, intended } = await configure(context, vm, isCleared ? null : known, edit);
  await restoreBootOrder(context, vm, intended, desired.boot_order);
  return draft;
}

/** The configuration of the new VM. The size of an imported or attached disk is known only now. */
export async function readNewVm(context: VmSettle, vm: GuestAddress, draft: ConfigDraft): Promise<ConfigDraft> {
  const { api, desired } = context;
  const isOpen =
    desired.import || Object.values(desired.disks ?? {}).some((disk) => (disk.import_from || disk.volume) && disk.size);
  const current = api.draft(isOpen ? (await configOf(context, vm)).options : draft.config);
  refuseLargeImages(desired, null, current);
  return current;
}
