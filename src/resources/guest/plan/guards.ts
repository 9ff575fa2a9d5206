import { type ConfigDraft, enumerate, findReservation, type Session, showGuest } from "#kit";
import type { GuestAddress } from "#pve";
import { addressOf } from "../address.ts";
import { type GuestPlan, type GuestState, queryOf } from "../context.ts";
import { keepers, setIntent } from "../intents.ts";
import type { GuestKind } from "../kind.ts";
import { isManaged, nameTaken, needsNoVmid } from "../lifecycle/existing.ts";
import { guestsNamed } from "../lifecycle/source.ts";
import { markOf } from "../mark.ts";
import { claimsOf, runOf } from "../run.ts";

/**
 * One name, one guest: refuses a name that is in use, unless an interrupted run has left that guest. Returns the guest that
 * is to be adopted, if there is one. A guest in the state belongs to its own resource.
 */
export async function guardName(context: GuestPlan, api: Session): Promise<GuestAddress | null> {
  const { config, report } = context;
  const { name } = config;
  const finished = name ? await guestsInTheWay(context, api, name) : [];
  const [only, ...others] = finished;
  if (!name || only === undefined || config.on_existing === undefined) return null;
  const isFree = others.length === 0 && !runOf(api).inState.has(only.vmid);
  if (config.on_existing === "adopt" && isFree && (config.vmid ?? only.vmid) === only.vmid) return only;
  report.error("name", nameTaken.summary, nameTaken.detail(context, api, name, finished));
  return null;
}

/** Complete guests of that name, where they may not be there. */
async function guestsInTheWay(context: GuestPlan, api: Session, name: string): Promise<readonly GuestAddress[]> {
  const { kind, privateState, signal } = context;
  if (allowsDuplicate(context)) return [];
  const named = (await guestsNamed(queryOf(context, api), name)).filter(({ vmid }) => vmid !== privateState.replacing);
  const finished = await keepers({ api, signal }, await withoutMarked(kind, api, named, name), { name });
  if (finished.length === 0) await warnOfUnread(context, api, name);
  return finished;
}

/** Two resources that create a guest of one name or VMID: the cluster cannot know that yet. */
export function guardTwins(context: GuestPlan, api: Session, archivedName?: string): void {
  const { kind, config, report } = context;
  const { planned } = runOf(api);
  const name = allowsDuplicate(context) ? undefined : (archivedName ?? config.name);
  const vmid = archivedName === undefined ? config.vmid : null;
  for (const { path, value, key } of claimsOf(kind.type, { name, vmid })) {
    if (planned.has(key)) {
      const isName = path === "name";
      report.error(
        path,
        isName ? nameTaken.summary : `VMID ${value} is taken`,
        `Another resource of this configuration creates a ${kind.noun} ${isName ? `named "${value}"` : `with VMID ${value}`}. Change one of them${isName ? ", or set `allow_duplicate_name = true`" : ""}.`,
      );
    }
    planned.add(key);
  }
}

/** Without a `name`, the guest has that of the backup or the imported VM: it must not be taken either. */
export async function guardArchivedName(context: GuestPlan, api: Session, before: ConfigDraft): Promise<void> {
  const { kind, config, report } = context;
  const name = before.raw(kind.nameOption);
  if (config.name !== null || name === null) return;
  api.planned.add(kind.plannedAs, String(name));
  guardTwins(context, api, String(name));
  const found = await guestsInTheWay(context, api, String(name));
  if (found.length > 0) report.error("name", nameTaken.summary, nameTaken.detail(context, api, String(name), found));
}

/** A renamed guest must not take the name of another one either. Names that this run frees are free. */
export async function guardRename(context: GuestPlan, api: Session, prior: GuestState): Promise<void> {
  const { kind, config, report, signal } = context;
  const { name } = config;
  if (!name || name === prior.name || allowsDuplicate(context)) return;
  const named = (await guestsNamed(queryOf(context, api), name)).filter(({ vmid }) => vmid !== prior.vmid);
  const others = await keepers({ api, signal }, named, { name });
  if (others.length > 0) report.error("name", nameTaken.summary, nameTaken.ofRename(kind, name, others));
}

/** An unknown value is not checked. */
export const allowsDuplicate = ({ config }: GuestPlan): boolean =>
  config.allow_duplicate_name === true || config.allow_duplicate_name === undefined;

/** After five minutes the cluster forgets the names of guests on an offline node. */
async function warnOfUnread({ kind, report }: GuestPlan, api: Session, name: string): Promise<void> {
  const { guests, isOnline } = await api.inventory.snapshot();
  const unread = [...guests.values()].filter((guest) => guest.name === undefined && !isOnline(guest.node));
  if (unread.length === 0) return;
  report.warning(
    "name",
    "Some names cannot be read",
    `${enumerate(unread.map(({ node }) => node))} is offline, so the names of ${kind.noun}s ${unread.map(({ vmid }) => vmid).join(", ")} are not known. If one of them is named "${name}", this creates a second ${kind.noun} of that name. Bring the node back first, or make sure that none is.`,
  );
}

/** A VMID that is in use is an obstacle, unless the guest is adopted by its name. */
export async function guardVmid(context: GuestPlan, api: Session): Promise<void> {
  const { kind, config, report, privateState, signal } = context;
  const { vmid } = config;
  if (!vmid || vmid === privateState.replacing) return;
  const { first, last } = api.settings.diskOwners;
  if (vmid >= first && vmid <= last) {
    const detail = `The provider reserves ${first}-${last} for volumes of \`proxmox_disk\`, which a guest of that VMID would own. Choose another one, or set \`disk_owners\` of the provider to another range.`;
    report.error("vmid", `VMID ${vmid} is reserved for disks`, detail);
    return;
  }
  const { guests } = await api.inventory.snapshot();
  const guest = guests.get(vmid);
  if (!guest) return;
  if ((await keepers({ api, signal }, [guest], { vmid })).length === 0) return;
  const left = await findReservation(api, guest, signal);
  if (left !== null) {
    report.error("vmid", left.summary, `${left.detail}, then apply again.`);
    return;
  }
  const isMarked = guest.type === kind.type && (await withoutMarked(kind, api, [guest])).length === 0;
  if (isMarked) return;
  const past = runOf(api).reused.has(vmid)
    ? `The ${kind.noun} that was created here is gone, and another one has its VMID. `
    : "";
  const cure = isManaged(context, api, vmid) ? "." : ", or import what is there.";
  report.error(
    "vmid",
    `VMID ${vmid} is taken`,
    `${past}${await showGuest(api, guest)} has it. Choose another one, leave \`vmid\` out to have one allocated${cure} ${needsNoVmid}`,
  );
}

/** A guest that stays keeps its name and its VMID, whichever of the two resources is planned first. */
export function guardKept({ kind, config, report }: GuestPlan, api: Session, prior: GuestState): void {
  if (prior.vmid === undefined) return;
  const isKept = !config.vmid || config.vmid === prior.vmid;
  const name = config.name === null ? prior.name : config.name;
  for (const claim of setIntent(api, prior.vmid, { isKept, name })) {
    const what = "vmid" in claim ? `VMID ${claim.vmid}` : `the name "${claim.name}"`;
    report.error(
      "vmid" in claim ? "vmid" : "name",
      "vmid" in claim ? `VMID ${claim.vmid} is taken` : nameTaken.summary,
      `Another resource of this configuration wants ${what}, which ${kind.noun} ${prior.vmid} keeps. Change one of them.`,
    );
  }
}

/** Guests that a create would resume or take over. */
export async function guestsToResume(context: GuestPlan, api: Session): Promise<number[]> {
  const { kind, config } = context;
  if (!config.name) return [];
  const named = await guestsNamed(queryOf(context, api), config.name);
  const mayAdopt = config.on_existing === "adopt" || config.on_existing === undefined;
  const others = mayAdopt ? [] : await withoutMarked(kind, api, named);
  return named.filter((guest) => !others.includes(guest)).map(({ vmid }) => vmid);
}

/** Complete guests; with `name`, those that still have it. */
async function withoutMarked<T extends GuestAddress>(
  kind: GuestKind,
  api: Session,
  guests: readonly T[],
  name?: string,
): Promise<T[]> {
  const configs = await Promise.all(guests.map((guest) => kind.calls(api).findConfig(addressOf(guest))));
  return guests.filter((_, index) => {
    const config = configs[index];
    if (!config || (name !== undefined && config.name !== name)) return false;
    return markOf(config.description) === null && config.lock !== kind.cloneLock && config.lock !== "create";
  });
}
