import { setTimeout as sleep } from "node:timers/promises";
import { requireRunning, type Target } from "../../guest/actions/target.ts";
import type { TaskContext } from "../../guest/actions/task-progress.ts";
import { vmBase } from "../base.ts";

export const agentNote =
  "Waits for the guest agent, which must be installed in the guest and enabled (`agent = { enabled = true }`).";

/** The error of an action whose time is over. */
export const agentLate = (what: string) => (vmid: number, limit: string) => ({
  summary: "The guest agent did not finish in time",
  detail: `${what} in VM ${vmid} did not end within ${limit}. Check that the guest agent runs, or raise \`timeout\`.`,
});

/** Calls the agent. Right after a start it does not answer yet: the call is repeated until the action's time is over. */
export async function askAgent<T>(
  { api, signal, progress }: TaskContext,
  vm: Target,
  call: () => Promise<T>,
): Promise<T> {
  requireRunning(vmBase, vm, "reached through its guest agent");
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (reason) {
      if (!api.isAgentSilent(reason)) throw reason;
      if (attempt === 1) progress(`VM ${vm.vmid}: waiting for the guest agent`);
      await sleep(api.settings.tasks.pollMs, undefined, { signal });
    }
  }
}
