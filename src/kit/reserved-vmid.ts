import type { GuestAddress, GuestConfig } from "#pve";
import { isPveError } from "./pve-error.ts";

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
      if (left?.lock !== "create" || left.name !== undefined) return null;
      return {
        summary: `VMID ${vmid} is left reserved`,
        detail: `The host was too busy to start the worker that creates the ${noun}. Nothing was created, but an empty configuration with \`lock: create\` holds VMID ${vmid}. Remove it on ${node}: \`${tool} unlock ${vmid} && ${tool} destroy ${vmid}\``,
      };
    },
  };
}
