import type { GuestBase } from "../base.ts";
import { guestAction } from "./guest-action.ts";
import { requireRunning } from "./target.ts";
import { awaitStatus, taskProgress } from "./task-progress.ts";

/** The timeout is for the shutdown; this is for the start after it. */
const slackMs = 60_000;

export const rebootAction = (kind: GuestBase) =>
  guestAction(kind, {
    name: "reboot",
    verb: "reboot",
    doc: `Shuts a ${kind.noun} down and starts it again, which also applies the changes that wait for it.`,
    attributes: {},
    timeout: { doc: "How long the guest may take to shut down.", default: "3m" },
    slackMs,
    late: (vmid) => ({
      summary: `${kind.title} ${vmid} has not come up again`,
      detail:
        "It was asked to reboot. Look at its tasks on the node: the one that shuts it down, the one that starts it.",
    }),

    async run(context, target) {
      const { api, limitMs, signal } = context;
      requireRunning(kind, target, "rebooted");
      const request = { timeout: Math.ceil(limitMs / 1000) };
      const submit = () => kind.calls(api).reboot(target, request, { signal });
      await taskProgress(context, target, `reboot ${kind.noun} ${target.vmid}`, submit, limitMs + slackMs);
      await awaitStatus(context, target, "running");
    },
  });
