import {
  type ConfigDraft,
  Failure,
  isPveError,
  patchWired,
  proveLost,
  type Session,
  trackCreate,
  watchReservation,
} from "#kit";
import type { GuestAddress } from "#pve";
import type { GuestCreate, GuestMaking, ReadableGuest } from "../context.ts";
import type { GuestKind } from "../kind.ts";
import { markOf, withMark } from "../mark.ts";

/** Creates a guest that is no copy of another one. The call itself marks it as unfinished. */
export async function createNew(context: GuestMaking, vmid: number, mark: string): Promise<ReadableGuest> {
  const { kind, api, desired, signal } = context;
  const node = desired.node ?? (await onlyNode(kind, api));
  const draft = kind.draft(api, await kind.newConfig(context, node));
  patchWired(kind.settings, desired, draft);
  for (const option of Object.keys(draft.config))
    if (kind.isSetLater(option, { draft, desired })) draft.set(option, null);
  draft.set("description", withMark(desired.description, mark));
  const guest = { node, vmid };
  const request = {
    ...draft.config,
    vmid,
    ...(desired.pool && { pool: desired.pool }),
    ...kind.createParameters(desired),
  };
  const submit = () => kind.calls(api).create(node, request, { signal });
  return submitNew(context, guest, {
    what: `create ${kind.noun} ${vmid}`,
    task: kind.tasks.create,
    submit,
    draft,
    mark,
  });
}

interface Submission {
  readonly what: string;
  /** The type of the task, by which a lost answer is looked up. */
  readonly task: string;
  readonly submit: () => Promise<string>;
  /** The configuration of the guest, as far as it is known. */
  readonly draft: ConfigDraft;
  readonly mark: string;
  readonly patienceMs?: number;
}

/** Sends the call that creates a guest, and reads its configuration. A lost answer is proved by mark and task. */
export async function submitNew(
  context: GuestMaking,
  guest: GuestAddress,
  { what, task, draft, mark, patienceMs, ...given }: Submission,
): Promise<ReadableGuest> {
  const { kind, api, signal } = context;
  const find = () => kind.calls(api).findConfig(guest, { signal });
  const reservation = watchReservation({ guest, noun: kind.noun, tool: kind.tool, submit: given.submit, find });
  const { vmid } = guest;
  await trackCreate(context, { id: { vmid }, label: `${kind.title} ${vmid}` }, (send) => {
    const submit = () => send(reservation.submit);
    const create = () => api.operations.run(guest, { what, submit, signal, patienceMs });
    return kind.attemptCreate(context, guest, { storages: [], draft }, create).catch(async (reason: unknown) => {
      const left = await reservation.leftBy(reason);
      if (left) reportReserved(context, left, reason);
      await proveCreate(context, guest, { task, mark }, reason);
    });
  });
  return { ...guest, config: await kind.calls(api).getConfig(guest, {}, { signal }) };
}

async function proveCreate(
  { kind, api, signal }: GuestCreate,
  guest: GuestAddress,
  { task, mark }: Pick<Submission, "task" | "mark">,
  reason: unknown,
): Promise<void> {
  // A task may fail when its work is done: the next attempt then finds what the first one created.
  if (isPveError(reason, "exists")) {
    const there = await kind.calls(api).findConfig(guest, { signal });
    if (there && there.lock === undefined && markOf(there.description) === mark) return;
  }
  if (!isPveError(reason) || !reason.mayHaveHappened) throw reason;
  await proveLost(api, reason, {
    node: guest.node,
    task: { type: task, id: String(guest.vmid) },
    findMark: api.findMark(kind.calls(api), guest, ({ description }) => markOf(description) === mark),
    signal,
  });
}

function reportReserved(
  { kind, desired, report }: GuestCreate,
  left: { summary: string; detail: string },
  cause: unknown,
) {
  const { summary, detail } = left;
  if (desired.vmid !== undefined) throw new Failure(summary, `${detail}, then apply again.`, { path: "vmid", cause });
  report.warning(null, summary, `${detail}. The ${kind.noun} is created with another VMID.`);
}

/** In a cluster of one node, `node` can be left out. */
export async function onlyNode(kind: GuestKind, api: Session): Promise<string> {
  const { nodes } = await api.inventory.snapshot();
  const [only, ...others] = [...nodes.keys()];
  if (only === undefined || others.length > 0) {
    throw new Failure("Node needed", `Choose the node of the ${kind.noun}: ${[...nodes.keys()].join(", ")}.`, {
      path: "node",
    });
  }
  return only;
}
