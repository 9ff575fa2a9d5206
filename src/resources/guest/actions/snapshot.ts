import { type Attributes, type Desired, string } from "#kit";
import type { Parameters as Request } from "#pve";
import type { GuestBase } from "../base.ts";
import { guestAction } from "./guest-action.ts";
import { checkSnapshotName } from "./snapshot-name.ts";
import type { Target } from "./target.ts";
import { taskProgress } from "./task-progress.ts";

interface Snapshots<A extends Attributes> {
  /** What only one kind has. */
  readonly attributes: A;
  request(config: Desired<A>, target: Target): Request;
}

const common = {
  name: { type: string({ check: checkSnapshotName }), mode: "required", doc: "Name of the snapshot." },
  description: { type: string(), mode: "optional", doc: "Description." },
} as const;

export const snapshotAction = <const A extends Attributes>(kind: GuestBase, only: Snapshots<A>) =>
  guestAction(kind, {
    name: "snapshot",
    verb: "take a snapshot of",
    doc: `Takes a snapshot of a ${kind.noun}.`,
    attributes: { ...common, ...only.attributes },
    timeout: { doc: "How long it may take.", default: "30m" },
    late: (vmid, limit) => ({
      summary: `The snapshot of ${kind.noun} ${vmid} is not complete`,
      detail: `It was not within ${limit}. Its task continues: look at it on the node.`,
    }),

    async run(context, target) {
      const { api, signal, progress } = context;
      const { name, description } = context.config as Desired<typeof common>;
      const request = {
        ...only.request(context.config as Desired<A>, target),
        snapname: name,
        ...(description && { description }),
      };
      const submit = () => kind.calls(api).takeSnapshot(target, request, { signal });
      await taskProgress(context, target, `take snapshot ${name} of ${kind.noun} ${target.vmid}`, submit);
      progress(`${kind.title} ${target.vmid}: snapshot ${name} taken`);
    },
  });
