import { bytesOf, type ConfigDraft, type Session, sizeOf } from "#kit";
import { volumesOn } from "../../guest/plan/checks/facts.ts";
import { fileOf, storageOf } from "../blocks/drive-slots.ts";
import type { VmPlan, VmState } from "../contexts.ts";
import { unusedDisks } from "../outputs.ts";
import { drivesIn, families } from "../slots.ts";

interface Wanted {
  readonly slot: string;
  readonly path: readonly string[];
  readonly storage: string | null;
  readonly format: string | null;
  readonly size: string | null;
}

/**
 * A slot that comes back gets the disk back that it had, where it is certain which one that was. Any other becomes a new
 * and empty disk, and the plan names the volumes that lie about.
 */
export async function planReturningDisks(
  context: VmPlan,
  api: Session,
  { vmid, node }: VmState,
  before: ConfigDraft,
): Promise<void> {
  const unused = Object.values(unusedDisks(before));
  for (const wanted of newDrives(context, before)) {
    const former = context.privateState.detached?.[wanted.slot];
    const found = former === undefined ? null : await findFormer(api, node ?? "", former, unused, before);
    if (former !== undefined && found && isLike(wanted, former, found)) {
      planFormer(context, wanted, { volume: former, ...found });
    } else if (unused.length > 0) {
      const candidates = unused.map((volume) => `\`${volume}\``).join(", ");
      const past = former === undefined ? "" : ` It had \`${former}\` before.`;
      context.report.warning(
        [...wanted.path],
        `${wanted.slot} becomes a new disk`,
        `\`${wanted.slot}\` of VM ${vmid} will be new and empty, while the VM has volumes that are not attached: ${candidates}.${past} To attach one of them instead, write \`volume = "…"\` in place of \`storage\` and \`size\`.`,
      );
    }
  }
}

/** A disk that is wanted elsewhere, or in another format, is another disk: one in place of the former would not be it. */
function isLike({ storage, format }: Wanted, former: string, found: Former): boolean {
  const isThere = (storage ?? storageOf(former)) === storageOf(former);
  return isThere && (format === null || found.format === undefined || format === found.format);
}

/** Drives that the VM does not have, and that say nothing of an existing volume. */
function newDrives({ config }: VmPlan, before: ConfigDraft): Wanted[] {
  return drivesIn(config).flatMap(({ slot, path, drive }) => {
    if (!drive || before.has(slot) || drive.volume !== null || drive.storage === undefined) return [];
    const size = "size" in drive ? drive.size : null;
    const format = "format" in drive ? drive.format : null;
    if (size === undefined || format === undefined) return [];
    return [{ slot, path, storage: drive.storage, format, size: typeof size === "string" ? size : null }];
  });
}

interface Former {
  readonly bytes: number | undefined;
  readonly format: string | undefined;
}

/** Whether the volume is still there and free, and how large. A drive that waits for a restart to leave is not unused yet. */
async function findFormer(
  api: Session,
  node: string,
  volume: string,
  unused: readonly string[],
  before: ConfigDraft,
): Promise<Former | null> {
  const isAttached = before.slots(families.volumes).some((slot) => fileOf(before, slot) === volume);
  if (isAttached) return null;
  const isIt = ({ volid }: { readonly volid: string }) => volid === volume;
  const subject = [node, storageOf(volume) ?? "", "images"] as const;
  const listed = await volumesOn.showing(api, [...subject], (all) => all?.some(isIt) ?? false);
  const found = listed?.find(isIt);
  return found || unused.includes(volume) ? { bytes: found?.size, format: found?.format } : null;
}

function planFormer(
  context: VmPlan,
  { slot, path, size }: Wanted,
  { volume, bytes }: Former & { readonly volume: string },
): void {
  const wanted = size === null ? null : bytesOf(size);
  if (wanted !== null && bytes !== undefined && wanted < bytes) {
    context.report.error(
      [...path, "size"],
      "Disks cannot shrink",
      `\`${slot}\` gets back \`${volume}\`, the disk it had, which is ${sizeOf(bytes)} and cannot become ${size}. Make it at least ${sizeOf(bytes)}, or remove that volume to get a new disk.`,
    );
    return;
  }
  context.set([...path, "volume"], volume);
  context.report.warning(
    [...path],
    `${slot} gets its disk back`,
    `\`${slot}\` had \`${volume}\`, which is still there and is attached again with its data.`,
  );
}
