import type { GuestAddress, GuestConfig, GuestResource } from "#pve";
import { isPveError } from "./pve-error.ts";
import type { Session } from "./session.ts";

interface Creation {
  readonly guest: GuestAddress;
  /** `VM` or `container`. */
  readonly noun: string;
  /** The command of the node for guests of this kind. */
  readonly tool: string;
  /** Sends the call that creates the guest. */
  submit(): Promise<string>;
  find(): Promise<GuestConfig | null>;
}

/**
 * PVE reserves the VMID with an empty configuration before it starts the worker, and leaves it when no worker starts
 * (qemu-server: src/PVE/API2/Qemu.pm, `create_vm`). Only a user on the node can remove it, so it has to be reported.
 */
export function watchReservation({ guest: { node, vmid }, noun, tool, submit, find }: Creation) {
  let isReserved = false;
  return {
    submit: () =>
      submit().catch((reason: unknown) => {
        isReserved ||= isPveError(reason, "locked") && reason.details.lock?.isOverload === true;
        throw reason;
      }),
    /** The message about a VMID that is left reserved after a failure; null if none is. */
    async leftBy(reason: unknown): Promise<{ readonly summary: string; readonly detail: string } | null> {
      if (!isReserved || !isPveError(reason, "exists", "locked")) return null;
      const left = await find();
      if (!isEmpty(left)) return null;
      const past = `The host was too busy to start the worker that creates the ${noun}. Nothing was created, but an`;
      return describe(past, { node, vmid }, tool);
    },
  };
}

/** The message about a VMID that an earlier run, or another client, has left reserved; null if a guest has it. */
export async function findReservation(api: Session, guest: GuestResource, signal: AbortSignal) {
  const { type, node, vmid } = guest;
  const config = await (type === "qemu" ? api.qemu : api.lxc).findConfig({ node, vmid }, { signal });
  if (!isEmpty(config)) return null;
  const { tasks } = await api.tasks.list(node, { source: "active", vmid }, { signal });
  const isWorkedOn = tasks.some(({ endtime }) => endtime === undefined);
  return isWorkedOn
    ? null
    : describe("No guest has it, and no task creates one. An", guest, type === "qemu" ? "qm" : "pct");
}

const isEmpty = (config: GuestConfig | null): boolean => config?.lock === "create" && config.name === undefined;

const describe = (past: string, { node, vmid }: GuestAddress, tool: string) => ({
  summary: `VMID ${vmid} is left reserved`,
  detail: `${past} empty configuration with \`lock: create\` holds VMID ${vmid}. Remove it on ${node}: \`${tool} unlock ${vmid} && ${tool} destroy ${vmid}\``,
});
