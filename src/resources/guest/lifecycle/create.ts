import {
  attachmentsOf,
  awaitReferrals,
  Created,
  CreateNotes,
  commitStaged,
  Failure,
  isPveError,
  type Members,
  step,
} from "#kit";
import type { GuestCreate, GuestMaking, NewGuest, ReadableGuest } from "../context.ts";
import { setIntent } from "../intents.ts";
import { markOf, newMark } from "../mark.ts";
import { claimantOf } from "../plan/foreign-volumes.ts";
import { claimsOf, runOf } from "../run.ts";
import { awaitVolumes } from "./await-volumes.ts";
import { cloneGuest } from "./clone.ts";
import { findUnfinished, nameTaken, refuseTaken } from "./existing.ts";
import { createNew } from "./new-guest.ts";
import { restoreGuest, resumeRestored } from "./restore.ts";

/** Creates the guest and nothing more: from here on Terraform knows it, and `settle` configures it. */
export async function createGuest(context: GuestMaking): Promise<Created<{ vmid: number }, NewGuest>> {
  const { kind, api, desired, privateState, log } = context;
  const name = desired.name ?? null;
  delete privateState.isDestroyBegun;
  for (const { key } of claimsOf(kind.type, desired)) runOf(api).planned.delete(key);
  const claim = claimName(context);
  try {
    // Networks that this run has staged have to be there when the guest starts.
    await commitStaged(api, context.signal);
    const unfinished = await findUnfinished(context);
    const isAdopted = unfinished !== null && unfinished.vmid === privateState.adopting?.vmid;
    const found = isAdopted ? "taking over an existing guest" : "resuming an interrupted create";
    if (unfinished) log.info(found, { vmid: unfinished.vmid, name });
    await awaitVolumes(context, unfinished?.vmid ?? null);
    const made = unfinished ? await resume(context, unfinished) : await make(context);
    privateState.mark = markOf(made.config.description);
    privateState.fingerprint = kind.fingerprint(made.config.options);
    runOf(api).made.set(made.vmid, kind.type);
    api.planned.fulfil("guest", made.vmid);
    setIntent(api, made.vmid, { isKept: true, name });
    attachmentsOf(api).unclaim(claimantOf(context.config));
    return new Created({ vmid: made.vmid }, { ...made, isFresh: unfinished === null, isAdopted }, { isAdopted });
  } finally {
    claim.release();
  }
}

/** A guest without a mark is complete, and adopted. */
const resume = async (context: GuestCreate, guest: ReadableGuest): Promise<ReadableGuest> =>
  context.desired.restore && markOf(guest.config.description) ? resumeRestored(context, guest) : guest;

async function make(context: GuestMaking): Promise<ReadableGuest> {
  const { kind, api, desired, signal, log } = context;
  const mark = newMark();
  context.privateState.mark = mark;
  const { making } = runOf(api);
  await awaitReferrals(api, { attributes: kind.attributes, desired: desired as Members, signal });
  const notes = new CreateNotes(api);
  const makeAt = async (vmid: number) => {
    making.add(vmid);
    notes.begin({ type: kind.type, vmid });
    const { name, detail, work } = wayOf(context);
    try {
      return await step(log, name, { vmid, detail: detail ?? `as ${kind.noun} ${vmid}` }, () =>
        work(context, vmid, mark),
      );
    } catch (reason) {
      // What is left of it is in the state.
      notes.end(vmid);
      throw reason;
    } finally {
      making.delete(vmid);
    }
  };
  if (desired.vmid === undefined) return api.vmids.withFreshId(makeAt, signal);
  api.vmids.reserve(desired.vmid);
  return makeAfter(context, desired.vmid, makeAt);
}

/** How the guest is made. */
function wayOf({ desired: { clone, restore } }: GuestCreate) {
  if (clone) return { name: "clone", detail: `from ${clone.template}`, work: cloneGuest };
  if (restore) return { name: "restore", detail: `from ${restore.archive}`, work: restoreGuest };
  return { name: "create", detail: null, work: createNew };
}

/** If a guest with this VMID is being destroyed in the same run, waits for that. */
async function makeAfter(
  context: GuestCreate,
  vmid: number,
  makeAt: (vmid: number) => Promise<ReadableGuest>,
): Promise<ReadableGuest> {
  const { api, signal } = context;
  for (;;) {
    try {
      return await makeAt(vmid);
    } catch (reason) {
      if (!isPveError(reason, "exists")) throw reason;
      const isLeaving = runOf(api).intents.get(vmid)?.isKept === false;
      if (!isLeaving || !(await api.departures.next(api.settings.tasks.pollMs, signal))) {
        return refuseTaken(context, vmid, reason);
      }
    }
  }
}

/** Two resources of one configuration must not create guests of one name either; the cluster cannot know that yet. */
function claimName({ kind, api, desired }: GuestCreate): { release(): void } {
  const { names, made, intents } = runOf(api);
  const { name } = desired;
  if (!name || desired.allow_duplicate_name) return { release() {} };
  const isTwin = (vmid: number) => intents.get(vmid)?.isKept && intents.get(vmid)?.name === name;
  const [twin] = [...made].find(([vmid, type]) => type === kind.type && isTwin(vmid)) ?? [];
  const key = `${kind.type} ${name}`;
  if (names.has(key) || twin !== undefined) {
    const other =
      twin === undefined
        ? `is making a ${kind.noun} named "${name}" right now`
        : `has made ${kind.noun} ${twin} of that name`;
    throw new Failure(nameTaken.summary, `Another resource ${other}. Give each its own name.`, { path: "name" });
  }
  names.add(key);
  return { release: () => names.delete(key) };
}
