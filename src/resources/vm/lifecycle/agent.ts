import { type ConfigDraft, parseDuration, type Session, step } from "#kit";
import type { GuestAddress } from "#pve";
import { untilReachable } from "../../guest/lifecycle/await-addresses.ts";
import { configOf } from "../../guest/lifecycle/known.ts";
import type { Addresses } from "../../guest/outputs.ts";
import type { VmChange } from "../contexts.ts";
import { macAddresses } from "../outputs.ts";
import { families } from "../slots.ts";

/** Addresses of the guest's interfaces by the slot of their card, which is found by its MAC address. */
export async function askAgent(
  api: Session,
  vm: GuestAddress,
  macs: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<Addresses> {
  const interfaces = await api.agent.listInterfaces(vm, { signal });
  const entries = Object.entries(macs).map(([slot, mac]) => {
    const own = interfaces.filter((one) => one["hardware-address"]?.toUpperCase() === mac.toUpperCase());
    const addresses = own.flatMap((one) => one["ip-addresses"] ?? []).map((address) => address["ip-address"]);
    return [slot, addresses] as const;
  });
  return Object.fromEntries(entries.filter(([, addresses]) => addresses.length > 0));
}

/** PVE generates the MAC address of a card that is given none, which the draft that was sent does not show. */
async function allMacs(context: VmChange, vm: GuestAddress, draft: ConfigDraft) {
  const known = macAddresses(draft);
  if (draft.slots(families.networks).every((slot) => known[slot])) return known;
  return macAddresses(context.api.draft((await configOf(context, vm)).options));
}

/** Waits for the guest's addresses where `agent.wait` asks for them. If none is reported, that is a warning. */
export async function awaitAddresses(
  context: VmChange,
  vm: GuestAddress,
  draft: ConfigDraft,
): Promise<Addresses | null> {
  const { api, desired, report, signal, log } = context;
  const limitMs = desired.agent?.wait ? (parseDuration(desired.agent.wait) ?? 0) : 0;
  if (limitMs === 0) return null;
  const macs = await allMacs(context, vm, draft);
  const ask = () => askAgent(api, vm, macs, signal);
  const found = await step(log, "agent", { vmid: vm.vmid }, () => untilReachable(ask, { limitMs, signal }));
  if (found === null) {
    report.warning(
      "agent.wait",
      "No address yet",
      `The guest agent of VM ${vm.vmid} reported no address within ${desired.agent?.wait}.`,
    );
  }
  return found;
}
