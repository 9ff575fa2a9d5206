import { enumerate, type Session, showGuest } from "#kit";
import { addressOf } from "../../guest/address.ts";
import { queryOf } from "../../guest/context.ts";
import { keepers, setIntent } from "../../guest/intents.ts";
import { nameTaken } from "../../guest/lifecycle/existing.ts";
import { guestsNamed } from "../../guest/lifecycle/source.ts";
import { markOf } from "../../guest/mark.ts";
import { runOf } from "../../guest/run.ts";
import type { VmPlan, VmState } from "../contexts.ts";

interface Found {
  readonly vmid: number;
  readonly node: string;
}

/** One name, one VM: refuses a name that is in use, unless that VM is what a run that was cut off left behind. */
export async function guardName(context: VmPlan, api: Session): Promise<void> {
  const { config, report, privateState, signal } = context;
  const { name } = config;
  if (!name || allowsDuplicate(context)) return;
  const named = (await guestsNamed(queryOf(context, api), name)).filter(({ vmid }) => vmid !== privateState.replacing);
  const finished = await keepers({ api, signal }, await withoutMarked(api, named), { name });
  if (privateState.replacing !== null) warnOfOrder(context, privateState.replacing, name);
  if (finished.length === 0) return warnOfUnread(context, api, name);
  const mayAdopt = config.on_existing === undefined || (config.on_existing === "adopt" && finished.length === 1);
  if (!mayAdopt) report.error("name", nameTaken.summary, nameTaken.detail(context.kind, name, finished));
}

/** A VM that is renamed must not take the name of another one either; names that this run frees are free. */
export async function guardRename(context: VmPlan, api: Session, prior: VmState): Promise<void> {
  const { config, report, signal } = context;
  const { name } = config;
  if (!name || name === prior.name || allowsDuplicate(context)) return;
  const named = (await guestsNamed(queryOf(context, api), name)).filter(({ vmid }) => vmid !== prior.vmid);
  const others = await keepers({ api, signal }, named, { name });
  if (others.length > 0) report.error("name", nameTaken.summary, nameTaken.ofRename(context.kind, name, others));
}

/** Unknown is not judged. */
const allowsDuplicate = ({ config }: VmPlan): boolean =>
  config.allow_duplicate_name === true || config.allow_duplicate_name === undefined;

/** The protocol does not say which of the two comes first. */
function warnOfOrder({ report }: VmPlan, vmid: number, name: string): void {
  report.warning(
    "name",
    "The replacement has the name of its predecessor",
    `VM ${vmid} is destroyed, then another VM named "${name}" is created. With \`create_before_destroy\` it is the other way round: two VMs of that name exist for a moment, and the apply refuses to create the second one. Set \`allow_duplicate_name = true\` for that, or let the name change with what causes the replacement.`,
  );
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
  const { config, report, privateState, signal } = context;
  const { vmid } = config;
  if (!vmid || vmid === privateState.replacing) return;
  const { guests } = await api.inventory.snapshot();
  const guest = guests.get(vmid);
  if (!guest || config.on_existing === "adopt") return;
  if ((await keepers({ api, signal }, [guest], { vmid })).length === 0) return;
  const isMarked = guest.type === "qemu" && (await withoutMarked(api, [guest])).length === 0;
  if (isMarked) return;
  const past = runOf(api).reused.has(vmid)
    ? "The VM that was created here is gone, and another one has its VMID. "
    : "";
  report.error(
    "vmid",
    `VMID ${vmid} is taken`,
    `${past}${await showGuest(api, guest)} has it. Choose another one, leave \`vmid\` out to have one allocated, or import what is there.`,
  );
}

/** A VM that stays keeps its name and its VMID, whichever of the two resources is planned first. */
export function guardStaying({ config, report }: VmPlan, api: Session, prior: VmState): void {
  if (prior.vmid === undefined) return;
  const isKept = !config.vmid || config.vmid === prior.vmid;
  const name = config.name === null ? prior.name : config.name;
  for (const wanted of setIntent(api, prior.vmid, { isKept, name })) {
    const what = "vmid" in wanted ? `VMID ${wanted.vmid}` : `the name "${wanted.name}"`;
    report.error(
      "vmid" in wanted ? "vmid" : "name",
      "vmid" in wanted ? `VMID ${wanted.vmid} is taken` : nameTaken.summary,
      `Another resource of this configuration wants ${what}, which VM ${prior.vmid} keeps. Change one of them.`,
    );
  }
}

async function withoutMarked<T extends Found>(api: Session, vms: readonly T[]): Promise<T[]> {
  const configs = await Promise.all(vms.map((vm) => api.qemu.findConfig(addressOf(vm))));
  return vms.filter((_, index) => {
    const config = configs[index];
    return config && markOf(config.description) === null && config.lock !== "clone" && config.lock !== "create";
  });
}
