import type { GuestBase } from "../base.ts";
import { guestAction } from "./guest-action.ts";
import { awaitStatus, taskProgress } from "./task-progress.ts";

export const startAction = (kind: GuestBase) =>
  guestAction(kind, {
    name: "start",
    verb: "start",
    doc: `Starts a ${kind.noun} and waits until it runs. One that runs already is left alone.`,
    attributes: {},
    timeout: { doc: "How long to wait until it runs.", default: "5m" },
    late: (vmid, limit) => ({
      summary: `${kind.title} ${vmid} does not run yet`,
      detail: `It was asked to start and did not within ${limit}. Look at its task on the node.`,
    }),

    async run(context, target) {
      const { api, signal, progress } = context;
      if (target.isRunning) return progress(`${kind.title} ${target.vmid}: running already`);
      const submit = () => kind.calls(api).start(target, {}, { signal });
      await taskProgress(context, target, `start ${kind.noun} ${target.vmid}`, submit);
      await awaitStatus(context, target, "running");
    },
  });
