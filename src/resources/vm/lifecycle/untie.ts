import type { ConfigDraft, Members } from "#kit";
import type { GuestAddress } from "#pve";
import { leavingSlots } from "../../guest/changes.ts";
import { sendPatch } from "../../guest/lifecycle/configure.ts";
import { isIn } from "../../guest/lifecycle/power.ts";
import { patchSettings } from "../../guest/removed-options.ts";
import type { VmUpdate } from "../contexts.ts";
import { removeSlot } from "../slots.ts";
import { endingTies } from "../ties.ts";
import { changedSettings } from "./change.ts";

/** Takes the devices away that would keep the VM on its node and that the change ends anyway. Returns what the VM has become. */
export async function untie(context: VmUpdate, vm: GuestAddress, before: ConfigDraft): Promise<ConfigDraft> {
  const { kind, api, prior, desired } = context;
  const after = api.draft(before.config);
  for (const { slot } of leavingSlots(context, prior, desired).removed) removeSlot(after, slot);
  patchSettings(kind, after, { changed: changedSettings(context, []), wanted: desired as Members, removed: [] });
  if (endingTies(before, after, false).length === 0) return before;
  const untied = api.draft(before.config);
  const isRunning = await isIn(context, vm, "running");
  for (const option of endingTies(before, after, isRunning)) untied.set(option, after.raw(option));
  await sendPatch(context, vm, untied.patch);
  return api.draft(untied.config);
}
