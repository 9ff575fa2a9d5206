import { setTimeout as sleep } from "node:timers/promises";
import { Failure, findReservation, type Session, showGuest } from "#kit";
import type { GuestAddress, GuestConfig, PveError } from "#pve";
import { addressOf } from "../address.ts";
import type { GuestCreate, GuestQuery, ReadableGuest } from "../context.ts";
import { keepers } from "../intents.ts";
import type { GuestKind } from "../kind.ts";
import { markOf } from "../mark.ts";
import { runOf } from "../run.ts";
import { guestsNamed } from "./source.ts";

/** "Already exists" is never success: the existing guest is not ours. */
export async function refuseTaken({ api, signal }: GuestCreate, vmid: number, cause: PveError): Promise<never> {
  api.inventory.forget();
  const guest = await api.inventory.locate(vmid);
  const left = guest && (await findReservation(api, guest, signal));
  if (left) throw new Failure(left.summary, `${left.detail}, then apply again.`, { path: "vmid", cause });
  const what = guest ? await showGuest(api, guest) : "A guest you may not see";
  throw new Failure(
    `VMID ${vmid} is taken`,
    `${what} has it. Nothing was changed. Choose another \`vmid\`, or leave it out to have one allocated. ${needsNoVmid}`,
    { path: "vmid", cause },
  );
}

/** Terraform does not say that a create replaces a guest which is destroyed after it. */
export const needsNoVmid =
  "A replacement with `create_before_destroy` cannot have the VMID of its predecessor: leave `vmid` out.";

/**
 * The guest of this name that an interrupted run has left: its creation is resumed. A complete guest of this name is an
 * error, unless duplicates are allowed or the plan has announced that it is adopted.
 */
export async function findUnfinished(context: GuestCreate): Promise<ReadableGuest | null> {
  const { kind, api, desired, privateState } = context;
  const { name } = desired;
  const { adopting } = privateState;
  if (!name) return null;
  await awaitNames(context);
  const named = await guestsNamed(context, name);
  const { made } = runOf(api);
  const candidates = await Promise.all(named.map(async (guest) => ({ ...guest, config: await read(context, guest) })));
  // The list may be as old as this run: a guest may have another name by now.
  const present = candidates.flatMap(({ config, ...guest }) => (config?.name === name ? [{ ...guest, config }] : []));
  const unfinished = present.find(
    ({ vmid, config }) => !made.has(vmid) && markOf(config.description) !== null && (desired.vmid ?? vmid) === vmid,
  );
  if (unfinished) return whenUnlocked(context, unfinished);
  if (desired.allow_duplicate_name) return null;
  const complete = present.filter(
    ({ vmid, config }) => (made.has(vmid) || markOf(config.description) === null) && !config.isTemplate,
  );
  const finished = await keepers(context, complete, { name });
  const [only] = finished;
  if (adopting && finished.length <= 1 && (only?.vmid ?? adopting.vmid) === adopting.vmid) {
    if (only?.config.digest === adopting.digest) return only;
    throw changedSincePlan(kind, adopting.vmid);
  }
  if (only === undefined) return null;
  throw new Failure(nameTaken.summary, nameTaken.detail(context, api, name, finished), { path: "name" });
}

/** The plan has shown what becomes of the guest that it found. */
const changedSincePlan = (kind: GuestKind, vmid: number): Failure =>
  new Failure(
    `${kind.title} ${vmid} has changed since the plan`,
    "It was to be adopted. It is gone, or another user has changed it since. Nothing was changed. Plan again.",
    { path: "on_existing" },
  );

type Found = readonly GuestAddress[];

/** Whether the guest is in the state, as far as this run knows: Terraform does not say in an apply what a create replaces. */
export function isManaged({ privateState }: Pick<GuestCreate, "privateState">, api: Session, vmid: number): boolean {
  const { inState, intents } = runOf(api);
  return inState.has(vmid) || intents.has(vmid) || privateState.replacing === vmid;
}

const places = (found: Found): string => found.map(({ vmid, node }) => `VMID ${vmid} on ${node}`).join(", ");

/** How an existing guest gets into the state, for messages. */
export const importBlock = ({ resource }: GuestKind, vmid: number): string =>
  `import {\n  to = ${resource}.NAME\n  id = "${vmid}"\n}`;

/** The message of the guard, the same in plan and apply. */
export const nameTaken = {
  summary: "Name taken",
  detail: (context: Pick<GuestCreate, "kind" | "privateState">, api: Session, name: string, found: Found): string => {
    const { kind } = context;
    const exists = `A ${kind.noun} named "${name}" exists already: ${places(found)}.`;
    if (found.some(({ vmid }) => isManaged(context, api, vmid)))
      return `${exists} Terraform manages it: another resource has it, or this one replaces it with \`create_before_destroy\`. Choose another name, or set \`allow_duplicate_name = true\`.`;
    return [
      exists,
      "If it is the one you mean, and Terraform does not manage it yet, take it over:",
      importBlock(kind, found[0]?.vmid ?? 0),
      "Otherwise choose another name, or set `allow_duplicate_name = true`. If this apply replaces it, do not import it: `create_before_destroy` with a fixed name needs `allow_duplicate_name = true`.",
    ].join("\n\n");
  },
  ofRename: ({ noun }: GuestKind, name: string, found: Found): string =>
    `Another ${noun} is named "${name}": ${places(found)}. Choose another name, or set \`allow_duplicate_name = true\`.`,
};

const read = ({ kind, api, signal }: GuestQuery, guest: GuestAddress): Promise<GuestConfig | null> =>
  kind.calls(api).findConfig(addressOf(guest), { signal });

const pauseMs = 500;

/** The clone continues even if the run that started it has ended. Null: it failed, and PVE has removed the guest. */
async function whenUnlocked(context: GuestCreate, guest: ReadableGuest): Promise<ReadableGuest | null> {
  const { signal } = context;
  for (let config: GuestConfig | null = guest.config; config !== null; config = await read(context, guest)) {
    if (config.lock === undefined) return { ...addressOf(guest), config };
    await sleep(pauseMs, undefined, { signal });
  }
  return null;
}

/**
 * A clone has no name before its first disk is copied, a restored guest none before its data are there. If one is in
 * progress that this run did not start, an interrupted run may have: its name is waited for, since otherwise the same guest
 * could be created twice.
 */
async function awaitNames(context: GuestCreate): Promise<void> {
  const { kind, api, desired, signal } = context;
  const locks = [kind.cloneLock, ...(desired.restore ? ["create"] : [])];
  const { guests } = await api.inventory.snapshot();
  const { made, making } = runOf(api);
  const nameless = [...guests.values()].filter(
    ({ vmid, type, lock, name }) =>
      type === kind.type && name === undefined && locks.includes(lock ?? "") && !made.has(vmid) && !making.has(vmid),
  );
  for (const guest of nameless) {
    for (;;) {
      const config = await read(context, guest);
      if (config === null || config.name !== undefined || config.lock === undefined) break;
      if (config.lock === "create" && !(await isWorkedOn(context, guest))) break;
      await sleep(pauseMs, undefined, { signal });
    }
  }
  if (nameless.length > 0) api.inventory.forget();
}

/** A guest that is locked and that no task works on was left behind by a host that failed. */
async function isWorkedOn({ api, signal }: GuestQuery, { node, vmid }: GuestAddress): Promise<boolean> {
  const { tasks } = await api.tasks.list(node, { source: "active", vmid }, { signal });
  return tasks.some(({ endtime }) => endtime === undefined);
}
