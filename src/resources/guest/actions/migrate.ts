import { getNode, int, string } from "#kit";
import type { GuestBase } from "../base.ts";
import { migrateGuest } from "../lifecycle/migrate.ts";
import { guestAction } from "./guest-action.ts";
import { taskProgress } from "./task-progress.ts";

/** `how`: how a running guest is moved. */
export const migrateAction = (kind: GuestBase, how: string) =>
  guestAction(kind, {
    name: "migrate",
    verb: "migrate",
    doc: `Moves a ${kind.noun} to another node, together with its local volumes; ${how}. One that is on the node already is left alone. A ${kind.noun} in the state follows, unless its resource sets \`placement = "enforce"\`.`,
    attributes: {
      node: { type: string(), mode: "required", doc: "Node to move it to." },
      target_storage: {
        type: string(),
        mode: "optional",
        doc: "Storage on that node for its local volumes. Default: the storages of the same names.",
      },
      bandwidth_limit: { type: int({ min: 0 }), mode: "optional", doc: "KiB/s at most; `0` for no limit." },
    },
    timeout: { doc: "How long it may take.", default: "1h" },
    late: (vmid, limit) => ({
      summary: `${kind.title} ${vmid} is not migrated yet`,
      detail: `It was not within ${limit}. Its task continues: look at it on the node.`,
    }),

    async run(context, target) {
      const { api, config, progress } = context;
      const { vmid, node } = target;
      await getNode(api, config.node);
      if (node === config.node) return progress(`${kind.title} ${vmid}: on ${node} already`);
      const migration = {
        target: config.node,
        ...(config.target_storage && { storage: config.target_storage }),
        ...(config.bandwidth_limit !== null && { bandwidthLimit: config.bandwidth_limit }),
      };
      await migrateGuest(context, { vmid, node }, migration, (what, submit) =>
        taskProgress(context, target, what, submit),
      );
      progress(`${kind.title} ${vmid}: on ${config.node}`);
    },
  });
