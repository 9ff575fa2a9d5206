import { Failure, int, parseDuration, type Session, string } from "#kit";
import type { GuestAddress } from "#pve";

/** The VM an action is about, and how it is now. */
export interface Target extends GuestAddress {
  readonly isRunning: boolean;
}

export const vmid = { type: int({ min: 100, max: 999_999_999 }), mode: "required", doc: "VMID." } as const;

/** How long an action may take. */
export const timeout = (doc: string) =>
  ({
    type: string({
      check: (text) => (parseDuration(text) === null ? "Must be a duration such as `30s` or `2m`." : undefined),
    }),
    mode: "optional",
    doc,
  }) as const;

export const label = ({ vmid: id }: { readonly [name: string]: unknown }): string => `VM ${String(id)}`;

/** Looks at the VM itself: what the shared view says of its status is as old as the run. */
export async function findTarget(api: Session, id: number, signal: AbortSignal): Promise<Target> {
  const guest = await api.inventory.locate(id);
  if (guest?.type !== "qemu") {
    const detail =
      guest === null ? `There is no VM ${id}, or it may not be seen.` : `${id} is a container, not a virtual machine.`;
    throw new Failure("VM not found", detail, { path: "vmid" });
  }
  const vm = { node: guest.node, vmid: id };
  const { status, template } = await api.qemu.getStatus(vm, { signal });
  if (template) throw new Failure("VM is a template", `VM ${id} is a template and never runs.`, { path: "vmid" });
  return { ...vm, isRunning: status === "running" };
}
