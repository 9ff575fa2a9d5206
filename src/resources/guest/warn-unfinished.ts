import { type BegunCreate, CreateNotes, type Report, type Session } from "#kit";
import type { GuestConfig } from "#pve";
import { addressOf } from "./address.ts";
import { markOf } from "./mark.ts";

/**
 * Names the guests that killed runs of this machine have left unfinished. An apply resumes one for a resource with its name; if
 * that was renamed or removed, no plan would find it. One that cannot be read now is looked for in a later run.
 */
export async function warnOfUnfinished(api: Session, report: Pick<Report, "warning">): Promise<void> {
  const notes = new CreateNotes(api);
  for (const begun of notes.abandoned()) {
    const guest = await find(api, begun).catch(() => undefined);
    if (guest === null) notes.end(begun.vmid);
    if (guest) report.warning(null, "Guest of an interrupted create", textFor(begun, guest));
  }
}

interface Found {
  readonly node: string;
  readonly config: GuestConfig;
}

/** PVE writes the mark when it has copied the disks. */
const locks = ["clone", "create"];

/** Null: it is gone, or complete. */
async function find(api: Session, { type, vmid }: BegunCreate): Promise<Found | null> {
  const guest = (await api.inventory.snapshot()).guests.get(vmid);
  if (guest?.type !== type) return null;
  const config = await api[type].findConfig(addressOf(guest));
  const isUnfinished = config && (markOf(config.description) !== null || locks.includes(config.lock ?? ""));
  return isUnfinished ? { node: guest.node, config } : null;
}

function textFor({ type, vmid }: BegunCreate, { node, config: { options } }: Found): string {
  const [title, tool, name] =
    type === "qemu" ? ["VM", "qm", options["name"]] : ["Container", "pct", options["hostname"]];
  const guest = `${title} ${vmid}${name === undefined ? "" : ` ("${name}")`} on ${node}`;
  return `${guest} was left by a run that was killed. The apply resumes it for a resource with that name. If the configuration has none any more, remove it on ${node}: \`${tool} destroy ${vmid} --purge\`.`;
}
