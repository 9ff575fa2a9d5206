import { Failure, isPveError, type Logger, type Report, type Session, step } from "#kit";
import type { GuestAddress, TaskResult } from "#pve";
import { untilCarriedOut } from "../../guest/await-ha.ts";
import type { Grace } from "../grace.ts";

interface Power {
  readonly api: Session;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

interface Stopping extends Power {
  readonly report: Pick<Report, "warning">;
}

export async function startVm(context: Power, vm: GuestAddress): Promise<void> {
  const { api, log, signal } = context;
  const submit = () => api.power.start(vm, {}, { signal });
  await step(log, "start", { vmid: vm.vmid }, () =>
    reach(context, vm, "running", () => api.operations.run(vm, { what: `start VM ${vm.vmid}`, submit, signal })),
  );
}

/** Asks the guest to leave and gives it its time; then pulls the plug, if that is allowed. One task does both. */
export async function stopVm(context: Stopping, vm: GuestAddress, grace: Grace): Promise<void> {
  const { api, log, signal } = context;
  const submit = () =>
    grace.ms > 0
      ? api.power.shutdown(vm, { timeout: Math.ceil(grace.ms / 1000), forceStop: grace.isForced }, { signal })
      : api.power.stop(vm, {}, { signal });
  // The task is silent for as long as the guest takes.
  const patienceMs = grace.ms + api.settings.tasks.timeoutMs;
  const operation = { what: `stop VM ${vm.vmid}`, submit, signal, patienceMs };
  const act = () => api.operations.run(vm, operation).catch((reason: unknown) => refuseTimeout(api, vm, grace, reason));
  const task = await step(log, "stop", { vmid: vm.vmid, grace_ms: grace.ms }, () =>
    reach(context, vm, "stopped", act, patienceMs),
  );
  if (task && grace.ms > 0) await tellForced(context, vm, grace, task);
}

function refuseTimeout(api: Session, { vmid }: GuestAddress, grace: Grace, cause: unknown): never {
  if (!api.isShutdownTimeout(cause)) throw cause;
  throw new Failure(
    "The guest does not shut down",
    `VM ${vmid} was given ${grace.ms / 1000}s to shut down and still runs. \`shutdown.force = false\` keeps it from being stopped hard. Shut it down yourself, raise \`shutdown.timeout\`, or set \`shutdown.force = true\`.`,
    { path: "shutdown.timeout", cause },
  );
}

/** Only the log of the task tells how the guest went. One that cannot be read must not fail what it tells of. */
async function tellForced(
  { api, report, signal }: Stopping,
  { vmid }: GuestAddress,
  grace: Grace,
  { upid }: TaskResult,
): Promise<void> {
  const log = await api.tasks.log(upid, { start: 0, limit: 50 }, { signal }).catch(() => null);
  if (!log?.lines.some(api.isForcedStop)) return;
  report.warning(
    null,
    "The guest was stopped hard",
    `VM ${vmid} did not shut down within ${grace.ms / 1000}s and was stopped as if its power had failed. A guest needs ACPI or the guest agent to shut down; \`shutdown.timeout\` gives it more time.`,
  );
}

/**
 * PVE refuses to start what runs and to stop what does not; others may have done it this moment. Returns the task, if it
 * is the one that did it.
 */
async function reach(
  context: Power,
  vm: GuestAddress,
  status: string,
  act: () => Promise<TaskResult>,
  patienceMs?: number,
): Promise<TaskResult | null> {
  try {
    const task = await act();
    await untilCarriedOut(context, vm, task, () => isIn(context, vm, status), patienceMs);
    return task;
  } catch (reason) {
    if (!isPveError(reason, "conflict") || !(await isIn(context, vm, status))) throw reason;
    return null;
  }
}

export const isIn = async (
  { api, signal }: Pick<Power, "api" | "signal">,
  vm: GuestAddress,
  status: string,
): Promise<boolean> => (await api.qemu.getStatus(vm, { signal })).status === status;
