import type { GuestBase } from "../base.ts";
import { guestAction } from "./guest-action.ts";
import { awaitStatus, taskProgress } from "./task-progress.ts";

export const resumeAction = (kind: GuestBase) =>
  guestAction(kind, {
    name: "resume",
    verb: "resume",
    doc: `Continues a suspended ${kind.noun}, and waits until it runs.`,
    attributes: {},
    timeout: { doc: "How long to wait until it runs.", default: "10m" },
    late: (vmid, limit) => ({
      summary: `${kind.title} ${vmid} is not resumed yet`,
      detail: `It was not within ${limit}. Look at its task on the node.`,
    }),

    async run(context, target) {
      const { api, signal, progress } = context;
      // The status of a VM that is suspended in memory is `running`, too.
      if (kind.type === "lxc" && target.isRunning) return progress(`${kind.title} ${target.vmid}: running already`);
      const submit = () => kind.calls(api).resume(target, {}, { signal });
      await taskProgress(context, target, `resume ${kind.noun} ${target.vmid}`, submit);
      await awaitStatus(context, target, "running");
    },
  });
