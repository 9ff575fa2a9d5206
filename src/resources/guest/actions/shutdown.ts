import { bool } from "#kit";
import type { GuestBase } from "../base.ts";
import { guestAction } from "./guest-action.ts";
import { awaitStatus, taskProgress } from "./task-progress.ts";

const slackMs = 60_000;

export const shutdownAction = (kind: GuestBase) =>
  guestAction(kind, {
    name: "shutdown",
    verb: "shut down",
    doc: `Asks the guest of a ${kind.noun} to shut down, and waits until it has. A ${kind.noun} that is stopped is left alone.`,
    attributes: {
      force: { type: bool(), mode: "optional", doc: "Whether to stop it hard when the time is over. Default: no." },
    },
    timeout: { doc: "How long the guest may take.", default: "3m" },
    slackMs,
    late: (vmid, limit) => ({
      summary: `${kind.title} ${vmid} still runs`,
      detail: `It was asked to shut down and did not within ${limit}. Set \`force = true\` to stop it then.`,
    }),

    async run(context, target) {
      const { api, config, limitMs, signal, progress } = context;
      if (!target.isRunning) return progress(`${kind.title} ${target.vmid}: stopped already`);
      const request = { timeout: Math.ceil(limitMs / 1000), ...(config.force && { forceStop: true }) };
      const submit = () => kind.calls(api).shutdown(target, request, { signal });
      await taskProgress(context, target, `shut ${kind.noun} ${target.vmid} down`, submit, limitMs + slackMs);
      await awaitStatus(context, target, "stopped");
    },
  });
