import type { InventoryGuest } from "#pve";
import { guestMatcher } from "../../resources/guest/data/filters.ts";
import { UsageError } from "../run-command.ts";

/** The filters of the command line; a VM must match all given ones. */
export interface Selection {
  readonly name?: string | undefined;
  readonly node?: string | undefined;
  readonly pool?: string | undefined;
  /** `web,db` */
  readonly tags?: string | undefined;
  /** `101,110-119` */
  readonly vmid?: string | undefined;
  /** Templates are rarely managed, so they are left out by default. */
  readonly templates?: boolean | undefined;
}

/** The selected VMs, ordered by VMID. */
export function vmSelector(selection: Selection): (vms: readonly InventoryGuest[]) => readonly InventoryGuest[] {
  const { name = null, node = null, pool = null, tags, vmid, templates } = selection;
  const words = tags?.split(/[,;\s]+/).filter((tag) => tag !== "") ?? null;
  const matches = guestMatcher({ name, node, pool, tags: words, template: templates ? null : false, status: null });
  const isInRange = vmid === undefined ? () => true : inRanges(vmid);
  return (vms) => vms.filter((vm) => matches(vm) && isInRange(vm.vmid)).sort((a, b) => a.vmid - b.vmid);
}

function inRanges(text: string): (vmid: number) => boolean {
  const ranges = text.split(",").map((part) => {
    const [, first, last = first] = /^\s*(\d+)(?:-(\d+))?\s*$/.exec(part) ?? [];
    if (first === undefined || Number(first) > Number(last)) {
      throw new UsageError(`--vmid accepts VMIDs and ranges such as 101,110-119, not '${text}'.`);
    }
    return { first: Number(first), last: Number(last) };
  });
  return (vmid) => ranges.some(({ first, last }) => first <= vmid && vmid <= last);
}
