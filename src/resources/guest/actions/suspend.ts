import type { Attributes, Desired } from "#kit";
import type { Parameters as Request } from "#pve";
import type { GuestBase } from "../base.ts";
import { guestAction } from "./guest-action.ts";
import { requireRunning } from "./target.ts";
import { taskProgress } from "./task-progress.ts";

interface Suspension<A extends Attributes> {
  readonly doc: string;
  /** What only one kind has. */
  readonly attributes: A;
  request(config: Desired<A>): Request;
}

export const suspendAction = <const A extends Attributes>(kind: GuestBase, only: Suspension<A>) =>
  guestAction(kind, {
    name: "suspend",
    verb: "suspend",
    doc: `${only.doc} \`${kind.resource}_resume\` continues it.`,
    attributes: only.attributes,
    timeout: { doc: "How long it may take.", default: "10m" },
    late: (vmid, limit) => ({
      summary: `${kind.title} ${vmid} is not suspended yet`,
      detail: `It was not within ${limit}. Its task continues: look at it on the node.`,
    }),

    async run(context, target) {
      const { api, config, signal, progress } = context;
      requireRunning(kind, target, "suspended");
      const submit = () => kind.calls(api).suspend(target, only.request(config), { signal });
      await taskProgress(context, target, `suspend ${kind.noun} ${target.vmid}`, submit);
      progress(`${kind.title} ${target.vmid}: suspended`);
    },
  });
