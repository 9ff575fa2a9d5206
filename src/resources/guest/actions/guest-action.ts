import {
  type Attributes,
  type Desired,
  defineAction,
  int,
  type Logger,
  parseDuration,
  type Report,
  string,
  type ValidateContext,
  within,
} from "#kit";
import type { GuestBase } from "../base.ts";
import { findTarget, type Target } from "./target.ts";
import type { TaskContext } from "./task-progress.ts";

interface Late {
  readonly summary: string;
  readonly detail: string;
}

interface ActionOn<A extends Attributes> {
  /** The name of the action without the resource: `start`. */
  readonly name: string;
  readonly verb: string;
  readonly doc: string;
  readonly attributes: A;
  readonly timeout: { readonly doc: string; readonly default: string };
  /** Added to the timeout where that is the guest's own: PVE ends the task only after it, and HA acts later. */
  readonly slackMs?: number;
  validate?(context: ValidateContext<A>): void;
  /** The error when the time is over. */
  late(vmid: number, limit: string): Late;
  run(context: GuestActionContext<A>, target: Target): Promise<void>;
}

export interface GuestActionContext<A extends Attributes> extends TaskContext {
  readonly config: Desired<A>;
  readonly log: Logger;
  readonly report: Pick<Report, "warning">;
  readonly limitMs: number;
}

const target = {
  vmid: { type: int({ min: 100, max: 999_999_999 }), mode: "required", doc: "VMID." },
} as const;

const timeoutOf = (doc: string) =>
  ({
    timeout: {
      type: string({
        check: (text) => (parseDuration(text) === null ? "Must be a duration such as `30s` or `2m`." : undefined),
      }),
      mode: "optional",
      doc,
    },
  }) as const;

/** An action on one guest: finds it, and ends after `timeout`. */
export const guestAction = <const A extends Attributes>(kind: GuestBase, action: ActionOn<A>) =>
  defineAction({
    type: `${kind.resource}_${action.name}`,
    subcategory: kind.subcategory,
    verb: action.verb,
    label: ({ vmid }) => `${kind.noun} ${String(vmid)}`,
    doc: action.doc,
    attributes: {
      ...target,
      ...action.attributes,
      ...timeoutOf(`${action.timeout.doc} Default: \`${action.timeout.default}\`.`),
    } as Attributes,
    ...(action.validate && { validate: action.validate as (context: ValidateContext<Attributes>) => void }),

    async invoke(context) {
      const config = context.config as Desired<typeof target & ReturnType<typeof timeoutOf>>;
      const limit = config.timeout ?? action.timeout.default;
      const limitMs = parseDuration(limit) ?? 0;
      const work = async (limited: typeof context) => {
        const found = await findTarget(kind, context.api, config.vmid, limited.signal);
        await action.run({ ...limited, kind, limitMs, config: context.config as Desired<A> }, found);
      };
      await within(context, limit, action.late(config.vmid, limit), work, action.slackMs);
    },
  });
