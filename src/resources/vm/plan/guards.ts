import { enumerate, type Session, showGuest } from "#kit";
import type { VmPlan } from "../contexts.ts";
import { addressOf } from "../lifecycle/address.ts";
import { nameTaken } from "../lifecycle/existing.ts";
import { markOf } from "../lifecycle/mark.ts";
import { runOf } from "../lifecycle/run.ts";
import { vmsNamed } from "../lifecycle/source.ts";

interface Found {
  readonly vmid: number;
  readonly node: string;
}

/** One name, one VM: refuses a name that is in use, unless that VM is what a run that was cut off left behind. */
export async function guardName(context: VmPlan, api: Session): Promise<void> {
  const { config, report, privateState } = context;
  const { name } = config;
  if (!name || config.allow_duplicate_name !== null) return;
  const named = (await vmsNamed(api, name)).filter(({ vmid }) => vmid !== privateState.replacing);
  const finished = (await withoutMarked(api, named)).filter((vm) => !makesWay(api, vm.vmid, name));
  if (finished.length === 0) return warnOfUnread(context, api, name);
  const mayAdopt = config.on_existing === undefined || (config.on_existing === "adopt" && finished.length === 1);
  if (!mayAdopt) report.error("name", nameTaken.summary, nameTaken.detail(name, finished));
}

/** What the cluster heard of an offline node it forgets after five minutes, and then nothing tells the names there. */
async function warnOfUnread({ report }: VmPlan, api: Session, name: string): Promise<void> {
  const { guests, isOnline } = await api.inventory.snapshot();
  const unread = [...guests.values()].filter((guest) => guest.name === undefined && !isOnline(guest.node));
  if (unread.length === 0) return;
  report.warning(
    "name",
    "Some names cannot be read",
    `${enumerate(unread.map(({ node }) => node))} is offline, so the names of VMs ${unread.map(({ vmid }) => vmid).join(", ")} are not known. If one of them is named "${name}", this creates a second VM of that name. Bring the node back first, or make sure that none is.`,
  );
}

/** A VMID that is in use is never taken over. */
export async function guardVmid(context: VmPlan, api: Session): Promise<void> {
  const { config, report, privateState } = context;
  const { vmid } = config;
  if (!vmid || vmid === privateState.replacing) return;
  const { guests } = await api.inventory.snapshot();
  const guest = guests.get(vmid);
  if (!guest || config.on_existing === "adopt" || makesWay(api, vmid, `VMID ${vmid}`)) return;
  const isMarked = guest.type === "qemu" && (await withoutMarked(api, [guest])).length === 0;
  if (isMarked) return;
  report.error(
    "vmid",
    `VMID ${vmid} is taken`,
    `${await showGuest(api, guest)} has it. Choose another one, leave \`vmid\` out to have one allocated, or import what is there.`,
  );
}

/**
 * A VM in the state whose resource is tainted makes way for the one being planned, and nothing tells so but that it was
 * read and nobody plans to keep it. If somebody does after all, that plan is the one to refuse.
 */
function makesWay(api: Session, vmid: number, forWhom: string): boolean {
  const { inState, staying, makingWay } = runOf(api);
  if (!inState.has(vmid) || staying.has(vmid)) return false;
  makingWay.set(vmid, forWhom);
  return true;
}

/** A VM that stays keeps its name and its VMID, whichever of the two resources is planned first. */
export function guardStaying({ report }: VmPlan, api: Session, vmid: number): void {
  const { staying, makingWay } = runOf(api);
  staying.add(vmid);
  const wanted = makingWay.get(vmid);
  if (wanted === undefined) return;
  report.error(
    "name",
    nameTaken.summary,
    `Another resource of this configuration wants ${wanted}, which VM ${vmid} has.`,
  );
}

async function withoutMarked<T extends Found>(api: Session, vms: readonly T[]): Promise<T[]> {
  const configs = await Promise.all(vms.map((vm) => api.qemu.findConfig(addressOf(vm))));
  return vms.filter((_, index) => {
    const config = configs[index];
    return config && markOf(config.description) === null && config.lock !== "clone" && config.lock !== "create";
  });
}
