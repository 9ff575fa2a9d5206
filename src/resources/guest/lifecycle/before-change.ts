import { isPveError, listSnapshots, removeSnapshot, step, takeSnapshot, withAftermath } from "#kit";
import type { GuestAddress } from "#pve";
import type { GuestUpdate } from "../context.ts";

/** The names of the snapshots that this provider takes before changes, and that it removes again. */
const ownName = /^tf-before-\d{8}-\d{6}$/;

const defaultKeep = 3;

/** Those of the snapshots that are removed, oldest first, once so many more are taken. */
export function outdatedSnapshots(names: readonly string[], keep: number | null | undefined, more = 0): string[] {
  const own = names.filter((name) => ownName.test(name)).sort();
  return own.slice(0, Math.max(own.length + more - (keep ?? defaultKeep), 0));
}

const nameAt = (seconds: number): string => {
  const [date = "", clock = ""] = new Date(seconds * 1000).toISOString().split(/T|\./);
  return `tf-before-${date.replaceAll("-", "")}-${clock.replaceAll(":", "")}`;
};

const laterName = (newest: string, name: string): string => (ownName.test(name) && name > newest ? name : newest);

/** The plan decides it. Without a plan that could look at the guest, the names of the attributes do. */
function isDue({ kind, desired, changes, privateState }: GuestUpdate): boolean {
  if (!desired.before_change?.snapshot || privateState.mark !== null) return false;
  return privateState.isSnapshotDue ?? [...changes].some((name) => name in kind.settings || name === "node");
}

/** Takes the snapshot before a change, if one is wanted. Returns whether it was taken. */
export async function snapshotBefore(context: GuestUpdate, guest: GuestAddress): Promise<boolean> {
  const { kind, api, desired, changes, privateState, signal, log } = context;
  const due = isDue(context);
  delete privateState.isSnapshotDue;
  if (!due) return false;
  const located = { ...guest, type: kind.type };
  const newest = (await listSnapshots(api, located, signal)).map(({ name }) => name).reduce(laterName, "");
  let time = Math.floor(api.serverTime());
  // Names are in the order in which the snapshots were taken, also within one second.
  while (nameAt(time) <= newest) time += 1;
  const name = nameAt(time);
  const changed = [...changes].filter((attribute) => attribute in kind.settings || attribute === "node");
  const { memory } = desired.before_change as { readonly memory?: boolean | null };
  const wish = { name, description: `Before Terraform changed: ${changed.sort().join(", ")}`, memory };
  const work = () => takeSnapshot({ api, guest: located, signal }, wish);
  await step(log, "snapshot", { vmid: guest.vmid, detail: name }, work).catch((reason: unknown) => {
    const what = `The snapshot ${name} that \`before_change\` asks for could not be taken, and nothing was changed.`;
    throw withAftermath(reason, what);
  });
  return true;
}

/** After a successful change: removes the oldest of these snapshots. A failure to do so is no failure of the change. */
export async function pruneSnapshots(context: GuestUpdate, { node, vmid }: GuestAddress): Promise<void> {
  const { kind, api, desired, report, signal } = context;
  const guest = { node, vmid, type: kind.type };
  const names = (await listSnapshots(api, guest, signal)).map(({ name }) => name);
  for (const name of outdatedSnapshots(names, desired.before_change?.keep)) {
    await removeSnapshot({ api, guest, signal }, name).catch((reason: unknown) => {
      if (!isPveError(reason)) throw reason;
      report.warning(
        "before_change.keep",
        "An old snapshot stays",
        `The change is complete, but snapshot ${name} of ${kind.noun} ${vmid} could not be removed: ${reason.message}. The next change removes it.`,
      );
    });
  }
}
