import { awaitReference, Created, Failure, isPveError, step } from "#kit";
import type { VmCreate } from "../contexts.ts";
import { cloneVm, type MadeVm, type NewVm } from "./clone.ts";
import { findUnfinished, nameTaken, refuseTaken } from "./existing.ts";
import { setFate } from "./fates.ts";
import { fingerprintOf } from "./identity.ts";
import { markOf, newMark } from "./mark.ts";
import { newVm } from "./new-vm.ts";
import { runOf } from "./run.ts";

/** Brings the VM into being and no more: from here on it is known to Terraform, and `settle` makes it what it shall be. */
export async function createVm(context: VmCreate): Promise<Created<{ vmid: number }, NewVm>> {
  const { api, desired, privateState, log } = context;
  const name = desired.name ?? null;
  const claim = claimName(context);
  try {
    const unfinished = await findUnfinished(context);
    if (unfinished) log.info("going on with a VM whose making was cut off", { vmid: unfinished.vmid, name });
    const made = unfinished ?? (await make(context));
    privateState.mark = markOf(made.config.description);
    privateState.fingerprint = fingerprintOf(made.config.options);
    runOf(api).made.add(made.vmid);
    setFate(api, made.vmid, { stays: true, name });
    return new Created({ vmid: made.vmid }, { ...made, isFresh: unfinished === null });
  } finally {
    claim.release();
  }
}

async function make(context: VmCreate): Promise<MadeVm> {
  const { api, desired, signal, log } = context;
  const mark = newMark();
  context.privateState.mark = mark;
  const { making } = runOf(api);
  if (desired.pool) await awaitReference(api, { kind: "pool", name: desired.pool, signal });
  const makeAt = (vmid: number) => {
    making.add(vmid);
    const detail = desired.clone ? `from ${desired.clone.template}` : `as VM ${vmid}`;
    return step(log, desired.clone ? "clone" : "create", { vmid, detail }, () =>
      desired.clone ? cloneVm(context, vmid, mark) : newVm(context, vmid, mark),
    ).finally(() => making.delete(vmid));
  };
  if (desired.vmid === undefined) return api.vmids.withFreshId(makeAt, signal);
  api.vmids.reserve(desired.vmid);
  return makeAfter(context, desired.vmid, makeAt);
}

/** A VM of this VMID that is being destroyed in the same run is waited for. */
async function makeAfter(context: VmCreate, vmid: number, makeAt: (vmid: number) => Promise<MadeVm>): Promise<MadeVm> {
  const { api, signal } = context;
  for (;;) {
    try {
      return await makeAt(vmid);
    } catch (reason) {
      if (!isPveError(reason, "exists")) throw reason;
      const isLeaving = runOf(api).fates.get(vmid)?.stays === false;
      if (!isLeaving || !(await api.departures.next(api.settings.tasks.pollMs, signal))) {
        return refuseTaken(context, vmid, reason);
      }
    }
  }
}

/** Two resources of one configuration must not make VMs of one name either; the cluster cannot know that yet. */
function claimName({ api, desired }: VmCreate): { release(): void } {
  const { names, made, fates } = runOf(api);
  const { name } = desired;
  if (!name || desired.allow_duplicate_name) return { release() {} };
  const twin = [...made].find((vmid) => fates.get(vmid)?.stays && fates.get(vmid)?.name === name);
  if (names.has(name) || twin !== undefined) {
    const other = twin === undefined ? `is making a VM named "${name}" right now` : `has made VM ${twin} of that name`;
    throw new Failure(nameTaken.summary, `Another resource ${other}. Give each its own name.`, { path: "name" });
  }
  names.add(name);
  return { release: () => names.delete(name) };
}
