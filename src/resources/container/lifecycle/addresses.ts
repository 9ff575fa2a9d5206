import { type ConfigDraft, type Members, parseDuration, step } from "#kit";
import type { GuestAddress } from "#pve";
import { untilReachable } from "../../guest/lifecycle/await-addresses.ts";
import type { Addresses } from "../../guest/outputs.ts";
import type { ContainerChange, ContainerRead } from "../contexts.ts";
import { describeContainer } from "../describe.ts";
import { askContainer, configuredAddresses, macAddresses } from "../outputs.ts";

/** Waits for the addresses of a container, if `wait_for_address` is set. If there are none in time, that is a warning. */
export async function awaitAddresses(
  { kind, api, desired, report, signal, log }: ContainerChange,
  container: GuestAddress,
): Promise<Addresses | null> {
  const { wait_for_address: wait } = desired;
  const limitMs = wait ? (parseDuration(wait) ?? 0) : 0;
  if (limitMs === 0) return null;
  // PVE generates the MAC address of a card that is given none, which the draft that was sent does not show.
  const { options } = await api.lxc.getConfig(container, {}, { signal });
  const macs = macAddresses(kind.draft(api, options));
  const ask = () => askContainer(api, container, macs, signal);
  const found = await step(log, "addresses", { vmid: container.vmid }, () => untilReachable(ask, { limitMs, signal }));
  if (found === null) {
    report.warning("wait_for_address", "No address yet", `Container ${container.vmid} got none within ${wait}.`);
  }
  return found;
}

/** The attributes of a container that is read. `known`: addresses that the operation before this read found. */
export async function describeRead(
  context: ContainerRead,
  place: GuestAddress & { readonly status: string },
  draft: ConfigDraft,
  known: Addresses | undefined,
) {
  const { state, purpose } = context;
  // Those of further cards may follow later than the first one that can be reached.
  const addresses = known ? { ...configuredAddresses(draft), ...known } : await addressesOf(context, place, draft);
  return describeContainer(place, draft, addresses, purpose === "import" ? null : (state as Members | null));
}

async function addressesOf(
  { api, state, signal, log }: ContainerRead,
  { node, vmid, status }: GuestAddress & { readonly status: string },
  draft: ConfigDraft,
): Promise<Addresses> {
  const configured = configuredAddresses(draft);
  if (isWaitedFor(state) !== true || status !== "running") return configured;
  const reported = await askContainer(api, { node, vmid }, macAddresses(draft), signal).catch((reason: unknown) => {
    log.debug("the container's interfaces cannot be read", { vmid, error: String(reason) });
    return state?.ip_addresses ?? {};
  });
  return { ...configured, ...reported };
}

/** Whether the container is asked for its addresses; undefined: not known yet. */
export function isWaitedFor(tree: object | null): boolean | undefined {
  const wait = tree === null ? null : (tree as Members)["wait_for_address"];
  if (wait === undefined) return undefined;
  return typeof wait === "string" && parseDuration(wait) !== 0;
}
