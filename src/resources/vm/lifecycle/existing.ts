import { setTimeout as sleep } from "node:timers/promises";
import { Failure, type Session, showGuest } from "#kit";
import type { GuestConfig, PveError } from "#pve";
import type { VmCreate } from "../contexts.ts";
import { addressOf } from "./address.ts";
import type { MadeVm } from "./clone.ts";
import { keepers } from "./fates.ts";
import { markOf } from "./mark.ts";
import { runOf } from "./run.ts";
import { vmsNamed } from "./source.ts";

/** "Already exists" is never success: whatever is there is not ours. */
export async function refuseTaken({ api }: VmCreate, vmid: number, cause: PveError): Promise<never> {
  api.inventory.forget();
  const guest = await api.inventory.locate(vmid);
  const what = guest ? await showGuest(api, guest) : "A guest you may not see";
  throw new Failure(
    `VMID ${vmid} is taken`,
    `${what} has it. Nothing was changed. Choose another \`vmid\`, or leave it out to have one allocated.`,
    { path: "vmid", cause },
  );
}

/**
 * A VM of this name that was left unfinished by a run that was cut off: the one to go on with. A VM of this name that
 * is finished stands in the way, unless that is allowed or it may be adopted.
 */
export async function findUnfinished(context: VmCreate): Promise<MadeVm | null> {
  const { api, desired, signal } = context;
  const { name } = desired;
  if (!name) return null;
  await settleStrangers(api, signal);
  const named = await vmsNamed(api, name);
  const { made } = runOf(api);
  const candidates = await Promise.all(named.map(async (vm) => ({ ...vm, config: await readable(api, vm, signal) })));
  const present = candidates.flatMap((vm) => (vm.config === null ? [] : [{ ...vm, config: vm.config }]));
  const unfinished = present.find(
    ({ vmid, config }) => !made.has(vmid) && markOf(config.description) !== null && (desired.vmid ?? vmid) === vmid,
  );
  if (unfinished) return whenUnlocked(api, unfinished, signal);
  if (desired.allow_duplicate_name) return null;
  const complete = present.filter(
    ({ vmid, config }) => (made.has(vmid) || markOf(config.description) === null) && !config.isTemplate,
  );
  const finished = await keepers(context, complete, { name });
  const [only] = finished;
  if (only === undefined) return null;
  if (desired.on_existing === "adopt" && finished.length === 1 && (desired.vmid ?? only.vmid) === only.vmid)
    return only;
  throw new Failure(nameTaken.summary, nameTaken.detail(name, finished), { path: "name" });
}

const places = (found: readonly { readonly vmid: number; readonly node: string }[]): string =>
  found.map(({ vmid, node }) => `VMID ${vmid} on ${node}`).join(", ");

/** The message of the guard, the same in plan and apply. */
export const nameTaken = {
  summary: "Name taken",
  detail: (name: string, found: readonly { readonly vmid: number; readonly node: string }[]): string =>
    [
      `A VM named "${name}" exists already: ${places(found)}.`,
      "If it is the one you mean, take it over:",
      `import {\n  to = proxmox_vm.NAME\n  id = "${found[0]?.vmid ?? 0}"\n}`,
      "Otherwise choose another name, or set `allow_duplicate_name = true`.",
    ].join("\n\n"),
  ofRename: (name: string, found: readonly { readonly vmid: number; readonly node: string }[]): string =>
    `Another VM is named "${name}": ${places(found)}. Choose another name, or set \`allow_duplicate_name = true\`.`,
};

async function readable(
  api: Session,
  vm: { node: string; vmid: number },
  signal: AbortSignal,
): Promise<GuestConfig | null> {
  return api.qemu.findConfig(addressOf(vm), { signal });
}

const pauseMs = 500;

/** Whoever began the clone may be gone; the clone itself runs on. Null: it failed, and PVE has cleaned up after it. */
async function whenUnlocked(api: Session, vm: MadeVm, signal: AbortSignal): Promise<MadeVm | null> {
  for (let config: GuestConfig | null = vm.config; config !== null; config = await readable(api, vm, signal)) {
    if (config.lock === undefined) return { ...addressOf(vm), config };
    await sleep(pauseMs, undefined, { signal });
  }
  return null;
}

/**
 * A clone has no name before its first disk is copied. If one is under way that nobody here has begun, a run that was
 * cut off may have: its name is waited for, or it would be made a second time.
 */
async function settleStrangers(api: Session, signal: AbortSignal): Promise<void> {
  const { guests } = await api.inventory.snapshot();
  const { made, making } = runOf(api);
  const strangers = [...guests.values()].filter(
    ({ vmid, type, lock, name }) =>
      type === "qemu" && name === undefined && lock === "clone" && !made.has(vmid) && !making.has(vmid),
  );
  for (const stranger of strangers) {
    for (;;) {
      const config = await readable(api, stranger, signal);
      if (config === null || config.name !== undefined || config.lock === undefined) break;
      await sleep(pauseMs, undefined, { signal });
    }
  }
  if (strangers.length > 0) api.inventory.forget();
}
