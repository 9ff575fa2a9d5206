import { attachmentsOf, type ConfigDraft, type Members } from "#kit";
import type { GuestAddress } from "#pve";
import type { LeavingSlot } from "../changes.ts";
import type { GuestUpdate } from "../context.ts";
import type { LiveChange } from "../kind.ts";
import { foreignSlots } from "../plan/foreign-volumes.ts";
import { type Attaching, volumesToGet } from "./await-volumes.ts";
import { sendPatch } from "./configure.ts";

interface Trade {
  readonly before: ConfigDraft;
  readonly leaving: readonly LeavingSlot[];
}

/**
 * Slots whose volumes, which outlive the guest, it gives up before it waits for others: the guest that has those may wait for
 * these, since two guests can exchange their disks in one run. Slots that are not configured are left alone.
 */
async function slotsToTrade(context: Attaching, vmid: number, { before, leaving }: Trade): Promise<string[]> {
  const { kind, api, desired } = context;
  const wanted = new Map(kind.volumesIn(desired).map(({ slot, volume }) => [slot, volume?.volume]));
  const isLeaving = (slot: string) => wanted.get(slot) || leaving.some((one) => one.slot === slot);
  const given = foreignSlots(context, before, vmid).filter(
    ({ slot, volume }) => isLeaving(slot) && ![...wanted.values()].includes(volume),
  );
  if (given.length === 0) return [];
  const places = (await volumesToGet(context, vmid, before)).map(({ place }) => place);
  const holders = await Promise.all(places.map((place) => attachmentsOf(api).of(place)));
  const mustWait = holders.flat().some((one) => one.vmid !== vmid && one.snapshot === null);
  return mustWait ? given.map(({ slot }) => slot) : [];
}

/** Whether the guest keeps what it should give up until it is restarted. The plan has announced the restart. */
export async function mustStopToTrade(context: GuestUpdate, vmid: number, trade: Trade, change: LiveChange) {
  const { kind, desired } = context;
  if (desired.restart_policy !== "when_needed") return false;
  const slots = await slotsToTrade(context, vmid, trade);
  return slots.some((slot) => !kind.takesEffectLive(slot, change));
}

/** Returns what is left to do, and the configuration to begin with: the slots are empty. */
export async function giveUpVolumes<T extends GuestUpdate>(context: T, guest: GuestAddress, trade: Trade) {
  const { kind, api, prior, signal } = context;
  const slots = await slotsToTrade(context, guest.vmid, trade);
  if (slots.length === 0) return { context, before: trade.before };
  await sendPatch(context, guest, { set: {}, delete: slots });
  await attachmentsOf(api).changed(guest.vmid);
  const { options } = await kind.calls(api).getConfig(guest, {}, { signal });
  const volumes = Object.entries((prior as Members)[kind.volumeMap] ?? {}).filter(([slot]) => !slots.includes(slot));
  const emptied = { ...prior, [kind.volumeMap]: Object.fromEntries(volumes) };
  return { context: { ...context, prior: emptied }, before: kind.draft(api, options) };
}
