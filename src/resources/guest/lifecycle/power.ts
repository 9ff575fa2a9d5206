import { Failure, isPveError, repeatableTask, step } from "#kit";
import type { GuestAddress, TaskResult } from "#pve";
import { untilCarriedOut } from "../await-ha.ts";
import type { GuestContext, GuestQuery, ReportingContext } from "../context.ts";
import type { Grace } from "../grace.ts";

export async function startGuest(context: GuestContext, guest: GuestAddress): Promise<void> {
  const { kind, api, log, signal } = context;
  const submit = () => kind.calls(api).start(guest, {}, { signal });
  const what = `start ${kind.noun} ${guest.vmid}`;
  await step(log, "start", { vmid: guest.vmid }, () =>
    reach(context, guest, "running", (isDone) => repeatableTask(api, guest, { what, submit, isDone, signal })),
  );
}

/** Continues a VM that another user has paused. */
export async function resumeGuest(context: GuestContext, guest: GuestAddress): Promise<void> {
  const { kind, api, log, signal } = context;
  const submit = () => kind.calls(api).resume(guest, {}, { signal });
  const what = `resume ${kind.noun} ${guest.vmid}`;
  await step(log, "resume", { vmid: guest.vmid }, () => api.operations.run(guest, { what, submit, signal }));
}

/** Asks the guest to shut down. After the grace period it is stopped hard, if that is allowed. One task does both. */
export async function stopGuest(context: ReportingContext, guest: GuestAddress, grace: Grace): Promise<void> {
  const { kind, api, log, signal } = context;
  const calls = kind.calls(api);
  const submit = () =>
    grace.ms > 0
      ? calls.shutdown(guest, { timeout: Math.ceil(grace.ms / 1000), forceStop: grace.isForced }, { signal })
      : calls.stop(guest, {}, { signal });
  // The task writes nothing to its log while the guest shuts down.
  const patienceMs = grace.ms + api.settings.tasks.timeoutMs;
  const operation = { what: `stop ${kind.noun} ${guest.vmid}`, submit, signal, patienceMs };
  const act = (isDone: () => Promise<boolean>) =>
    repeatableTask(api, guest, { ...operation, isDone }).catch((reason: unknown) =>
      refuseTimeout(context, guest, grace, reason),
    );
  const task = await step(log, "stop", { vmid: guest.vmid, grace_ms: grace.ms }, () =>
    reach(context, guest, "stopped", act, patienceMs),
  );
  if (task && grace.ms > 0) await reportForcedStop(context, guest, grace, task);
}

function refuseTimeout({ kind, api }: GuestQuery, { vmid }: GuestAddress, grace: Grace, cause: unknown): never {
  if (!api.isShutdownTimeout(cause)) throw cause;
  throw new Failure(
    "The guest does not shut down",
    `${kind.title} ${vmid} was given ${grace.ms / 1000}s to shut down and still runs. \`shutdown.force = false\` keeps it from being stopped hard. Shut it down yourself, raise \`${grace.attribute}\`, or set \`shutdown.force = true\`.`,
    { path: grace.attribute, cause },
  );
}

/** Only the log of the task shows whether the guest was stopped hard. A log that cannot be read is no failure. */
async function reportForcedStop(
  { kind, api, report, signal }: ReportingContext,
  { vmid }: GuestAddress,
  grace: Grace,
  { upid }: TaskResult,
): Promise<void> {
  const log = await api.tasks.log(upid, { start: 0, limit: 50 }, { signal }).catch(() => null);
  if (log?.lines.some(api.isForcedStop)) warnOfForcedStop({ kind, report }, vmid, grace);
}

const warnOfForcedStop = ({ kind, report }: Pick<ReportingContext, "kind" | "report">, vmid: number, grace: Grace) =>
  report.warning(
    null,
    "The guest was stopped hard",
    `${kind.title} ${vmid} did not shut down within ${grace.ms / 1000}s and was stopped as if its power had failed. ${kind.shutdownHint} \`${grace.attribute}\` gives it more time.`,
  );

/** Stops a guest that has had its time to shut down, if that is allowed. */
export async function stopAfter(
  context: ReportingContext,
  guest: GuestAddress,
  grace: Grace,
  cause: unknown,
): Promise<void> {
  if (!grace.isForced) refuseTimeout(context, guest, grace, cause);
  await stopGuest(context, guest, { ...grace, ms: 0 });
  if (grace.ms > 0) warnOfForcedStop(context, guest.vmid, grace);
}

/**
 * PVE refuses to start a running guest and to stop a stopped one; another user may have done that just now. Returns the
 * task if it was the one that had an effect.
 */
async function reach(
  context: GuestContext,
  guest: GuestAddress,
  status: string,
  act: (isDone: () => Promise<boolean>) => Promise<TaskResult | null>,
  patienceMs?: number,
): Promise<TaskResult | null> {
  const isThere = () => isIn(context, guest, status);
  try {
    const task = await act(isThere);
    if (task) await untilCarriedOut(context, guest, task, isThere, patienceMs);
    return task;
  } catch (reason) {
    if (!isPveError(reason, "conflict") || !(await isThere())) throw reason;
    return null;
  }
}

export const isIn = async ({ kind, api, signal }: GuestQuery, guest: GuestAddress, status: string): Promise<boolean> =>
  (await kind.calls(api).getStatus(guest, { signal })).status === status;
