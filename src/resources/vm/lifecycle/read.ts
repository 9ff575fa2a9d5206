import { type ConfigDraft, isSharedStorage, type Members, type Observed, parseDuration, type Session } from "#kit";
import { isSameGuest } from "../../guest/identity.ts";
import { findGuest } from "../../guest/lifecycle/find.ts";
import { readHa } from "../../guest/lifecycle/ha.ts";
import { type PendingOptions, pendingOptions } from "../../guest/lifecycle/pending.ts";
import { markOf, withoutMark } from "../../guest/mark.ts";
import { type ReadHint, runOf } from "../../guest/run.ts";
import type { VmAttributes } from "../attributes.ts";
import { storageOf } from "../blocks/drive-slots.ts";
import type { VmRead, VmState } from "../contexts.ts";
import { describeVm } from "../describe.ts";
import { configuredAddresses, macAddresses } from "../outputs.ts";
import { askAgent } from "./agent.ts";
import { noteMissing } from "./detached.ts";
import { noteGrowth } from "./growth.ts";

/** The VM as it is now. Never waits for anything. */
export async function readVm(context: VmRead): Promise<Observed<VmAttributes> | null> {
  const { api, id, state, purpose, privateState, report, log, signal } = context;
  const learnt = takeReadHint(context);
  const found = learnt ? await justMade(api, id.vmid, learnt, signal) : await findGuest(context, id.vmid);
  if (found === null) return gone(context);
  if (found.config === null) {
    report.warning(null, `Node ${found.node} is offline`, `VM ${id.vmid} is shown as it was last known.`);
    return state && lastKnown(state);
  }
  const seen = context.kind.fingerprint(found.config.options);
  const isMarked = privateState.mark !== null && markOf(found.config.description) === privateState.mark;
  if (privateState.fingerprint && !isMarked && !isSameGuest(privateState.fingerprint, seen)) {
    log.warn("another VM has this VMID now", { vmid: id.vmid, name: found.config.name });
    report.warning(
      null,
      `VMID ${id.vmid} is another VM now`,
      `"${found.config.name ?? `VM ${id.vmid}`}" on ${found.node} is not the VM that was created here, and is left alone. The one that was is gone.`,
    );
    runOf(api).reused.add(id.vmid);
    return gone(context);
  }
  privateState.fingerprint = seen;
  const waiting = learnt
    ? { pending: [...learnt.pending], removed: learnt.removed ?? [] }
    : await stillWaiting(context, found);
  const draft = api.draft(found.config.options);
  // PVE leaves out what the next start removes, except for a `0` (qemu-server: src/PVE/API2/Qemu.pm, `vm_config`).
  for (const option of waiting.removed) draft.set(option, null);
  // The mark of a creation that ended early is ours, not a part of the description.
  if (isMarked) draft.set("description", withoutMark(String(draft.raw("description"))) || null);
  if (state !== null && purpose === "refresh") noteMissing(privateState, state, draft);
  const addresses = learnt?.addresses ?? (await addressesOf(context, draft, found));
  const expected = purpose === "import" ? null : (state as Members | null);
  const described = describeVm({ ...found, vmid: id.vmid }, draft, addresses, expected);
  noteGrowth(context, described.disks);
  return {
    ...described,
    cloud_init: await withoutLostImage(context, found.node, described.cloud_init),
    pool: found.pool ?? (state?.pool === "" ? "" : null),
    ha: await readHa(context),
    inherited: (state?.inherited ?? []).filter((slot) => draft.has(slot)),
    pending: waiting.pending,
  };
}

/** What is there no more is in nobody's way, and makes no way for anybody. */
function gone({ api, id }: VmRead): null {
  runOf(api).inState.delete(id.vmid);
  return null;
}

type CloudInit = Observed<VmAttributes>["cloud_init"];

/**
 * HA, or who moves a VM by hand, leaves behind an image that is only on the node it comes from: its drive is as good as empty,
 * and stays so until it is filled anew.
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

/** What the operation before this read left; once it is history, so is what was seen of the cluster before it. */
function takeReadHint({ api, id, purpose }: VmRead): ReadHint | undefined {
  const { readHints } = runOf(api);
  if (purpose === "create" || purpose === "update") return readHints.get(id.vmid);
  runOf(api).inState.add(id.vmid);
  if (readHints.size > 0) {
    readHints.clear();
    api.inventory.forget();
  }
  return undefined;
}

async function justMade(api: Session, vmid: number, learnt: ReadHint, signal: AbortSignal) {
  const config = await api.qemu.getConfig({ node: learnt.node, vmid }, {}, { signal });
  return { node: learnt.node, status: learnt.status, pool: learnt.pool ?? undefined, config };
}

interface Running {
  readonly node: string;
  readonly status: string;
}

/** What the agent says, where somebody asked for it; else what cloud-init was told. */
async function addressesOf({ api, id, state, signal, log }: VmRead, draft: ConfigDraft, { node, status }: Running) {
  const configured = configuredAddresses(draft);
  const isAsked = state?.agent?.wait && parseDuration(state.agent.wait) !== 0;
  if (!isAsked || status !== "running") return configured;
  const told = await askAgent(api, { node, vmid: id.vmid }, macAddresses(draft), signal).catch((reason: unknown) => {
    log.debug("the guest agent does not answer", { vmid: id.vmid, error: String(reason) });
    return state?.ip_addresses ?? {};
  });
  return { ...configured, ...told };
}

/** Asked again only for a VM that is known to have something pending: one call per VM would double a refresh. */
async function stillWaiting(context: VmRead, { node, status }: Running): Promise<PendingOptions> {
  const { id, state, purpose, privateState } = context;
  const mayHave = purpose === "import" || (state?.pending ?? []).length > 0 || privateState.isPending;
  if (!mayHave || status !== "running") return { pending: [], removed: [] };
  return pendingOptions(context, { node, vmid: id.vmid });
}

/** A state as if it had just been read: without what only Terraform knows. */
function lastKnown(state: VmState): Observed<VmAttributes> {
  const { clone, replace_on_source_change, power, restart_policy, on_existing, allow_duplicate_name, ...rest } = state;
  const { destroy, timeouts, shutdown, placement, agent, disks, cloud_init, ...plain } = rest;
  const without = (object: object | null | undefined, ...names: string[]) =>
    object && Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
  const stored = {
    ...plain,
    agent: without(agent, "wait"),
    cloud_init: without(
      cloud_init,
      "password_version",
      "user_data",
      "network_data",
      "meta_data",
      "vendor_data",
      "data_version",
    ),
    disks:
      disks &&
      Object.fromEntries(
        Object.entries(disks).map(([slot, disk]) => [slot, without(disk, "import_from", "on_remove")]),
      ),
  };
  return stored as unknown as Observed<VmAttributes>;
}
