import { bool } from "#kit";
import type { GuestBase } from "../base.ts";
import { guestAction } from "./guest-action.ts";
import { awaitStatus, taskProgress } from "./task-progress.ts";

export const stopAction = (kind: GuestBase) =>
  guestAction(kind, {
    name: "stop",
    verb: "stop",
    doc: `Stops a ${kind.noun} at once, as if its power failed: data that the guest has not written yet is lost. One that is stopped is left alone. \`${kind.resource}_shutdown\` lets the guest shut down.`,
    attributes: {
      overrule_shutdown: {
        type: bool(),
        mode: "optional",
        doc: `Whether to end tasks that are shutting the ${kind.noun} down, which otherwise hold its lock. Default: no.`,
      },
    },
    timeout: { doc: "How long to wait until it is stopped.", default: "5m" },
    late: (vmid, limit) => ({
      summary: `${kind.title} ${vmid} is not stopped yet`,
      detail: `It was not within ${limit}. Look at its task on the node; \`overrule_shutdown = true\` ends a shutdown that holds its lock.`,
    }),

    async run(context, target) {
      const { api, config, signal, progress } = context;
      if (!target.isRunning) return progress(`${kind.title} ${target.vmid}: stopped already`);
      const request = config.overrule_shutdown ? { "overrule-shutdown": true } : {};
      const submit = () => kind.calls(api).stop(target, request, { signal });
      await taskProgress(context, target, `stop ${kind.noun} ${target.vmid}`, submit);
      await awaitStatus(context, target, "stopped");
    },
  });
