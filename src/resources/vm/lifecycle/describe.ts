import { type ConfigDraft, isSharedStorage, type Members, type Observed, parseDuration } from "#kit";
import type { GuestAddress } from "#pve";
import type { Addresses } from "../../guest/outputs.ts";
import { storageOf } from "../../guest/volume.ts";
import type { VmAttributes } from "../attributes.ts";
import type { VmRead } from "../contexts.ts";
import { describeVm } from "../describe.ts";
import { configuredAddresses, macAddresses } from "../outputs.ts";
import { askAgent } from "./agent.ts";

interface Place extends GuestAddress {
  readonly status: string;
}

/** The attributes of a VM that is read. `known` are addresses that the operation before this read found out. */
export async function describeRead(
  context: VmRead,
  place: Place,
  draft: ConfigDraft,
  known: Addresses | undefined,
): Promise<ReturnType<typeof describeVm>> {
  const { state, purpose } = context;
  const addresses = known ?? (await addressesOf(context, draft, place));
  const expected = purpose === "import" ? null : (state as Members | null);
  const described = describeVm(place, draft, addresses, expected);
  return { ...described, cloud_init: await withoutLostImage(context, place.node, described.cloud_init) };
}

type CloudInit = Observed<VmAttributes>["cloud_init"];

/**
 * After HA or another user moved the VM, an image on a local storage is left on the old node: the drive counts as empty
 * until it is filled again.
 */
async function withoutLostImage(
  { api, state, privateState, purpose }: VmRead,
  node: string,
  seen: CloudInit,
): Promise<CloudInit> {
  const before = state?.cloud_init;
  const hasText = typeof before?.user_data === "string" || privateState.dataImage !== null;
  if (purpose !== "refresh" || !seen?.data_volume || !before || !hasText) return seen;
  const hasMoved = state?.node !== undefined && state.node !== node;
  if (!hasMoved && before.data_volume !== null) return seen;
  const isLost = !(await isSharedStorage(api, storageOf(seen.data_volume) ?? ""));
  return isLost ? { ...seen, data_volume: null } : seen;
}

/** The addresses that the guest agent reports, where `agent.wait` asks for them; else those that are configured. */
async function addressesOf({ api, state, signal, log }: VmRead, draft: ConfigDraft, { node, vmid, status }: Place) {
  const configured = configuredAddresses(draft);
  const isAsked = state?.agent?.wait && parseDuration(state.agent.wait) !== 0;
  if (!isAsked || status !== "running") return configured;
  const reported = await askAgent(api, { node, vmid }, macAddresses(draft), signal).catch((reason: unknown) => {
    log.debug("the guest agent does not answer", { vmid, error: String(reason) });
    return state?.ip_addresses ?? {};
  });
  return { ...configured, ...reported };
}
