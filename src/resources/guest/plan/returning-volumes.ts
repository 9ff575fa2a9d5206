import { bytesOf, type ConfigDraft, type Members, type Session, sizeOf } from "#kit";
import type { GuestPlan, GuestState } from "../context.ts";
import type { GuestKind } from "../kind.ts";
import { unusedVolumes } from "../outputs.ts";
import { storageOf } from "../volume.ts";
import { volumesOn } from "./checks/facts.ts";

interface Wanted {
  readonly slot: string;
  readonly path: readonly string[];
  readonly storage: string | null;
  readonly format: string | null;
  readonly size: string | null;
  /** The image that a new volume is made from. */
  readonly source: string | null;
}

/**
 * A slot that comes back gets its former volume back, if it is certain which one that was. Otherwise it gets a new, empty
 * volume, and the plan lists the unused ones.
 */
export async function planReturningVolumes(
  context: GuestPlan,
  api: Session,
  { vmid, node }: GuestState,
  before: ConfigDraft,
): Promise<void> {
  const { kind, privateState, report } = context;
  const unused = Object.values(unusedVolumes(before, kind.families.unused));
  for (const wanted of newVolumes(context, before)) {
    const former = privateState.detached?.[wanted.slot];
    const found =
      former === undefined ? null : await findFormer(kind, api, { node: node ?? "", former, unused, before });
    if (former !== undefined && found && isLike(wanted, former, found)) {
      planFormer(context, wanted, { volume: former, ...found });
    } else if (unused.length > 0) {
      const candidates = unused.map((volume) => `\`${volume}\``).join(", ");
      const past = former === undefined ? "" : ` It had \`${former}\` before.`;
      report.warning(
        [...wanted.path],
        `${wanted.slot} becomes a new disk`,
        `\`${wanted.slot}\` of ${kind.noun} ${vmid} will be ${wanted.source === null ? "new and empty" : `made from \`${wanted.source}\``}, while the ${kind.noun} has volumes that are not attached: ${candidates}.${past} To attach one of them instead, write \`volume = "…"\` in place of \`storage\` and \`size\`.`,
      );
    }
  }
}

/** A volume on another storage, or in another format, than configured is not the desired one. */
function isLike({ storage, format }: Wanted, former: string, found: Former): boolean {
  const isThere = (storage ?? storageOf(former)) === storageOf(former);
  return isThere && (format === null || found.format === undefined || format === found.format);
}

/** Configured volumes that the guest does not have, and that name no existing volume. */
function newVolumes({ kind, config }: GuestPlan, before: ConfigDraft): Wanted[] {
  return kind.volumesIn(config).flatMap(({ slot, path, volume }) => {
    if (!volume || before.has(slot) || volume.volume !== null || volume.storage === undefined) return [];
    // A directory of the host, or what may be one, is no volume.
    if ("host_path" in volume && volume["host_path"] !== null) return [];
    const size = "size" in volume ? volume.size : null;
    const format = "format" in volume ? volume.format : null;
    if (size === undefined || format === undefined) return [];
    return [{ slot, path, storage: volume.storage, format, size: text(size), source: sourceIn(kind, volume) }];
  });
}

const text = (value: unknown): string | null => (typeof value === "string" ? value : null);

const sourceIn = ({ volumeSources }: GuestKind, volume: object): string | null =>
  volumeSources.map(([, member]) => text((volume as Members)[member])).find((image) => image !== null) ?? null;

interface Former {
  readonly bytes: number | undefined;
  readonly format: string | undefined;
}

interface Search {
  readonly node: string;
  readonly former: string;
  readonly unused: readonly string[];
  readonly before: ConfigDraft;
}

/** The volume, if it exists and is free. One whose removal is pending is not listed as unused yet. */
async function findFormer(
  kind: GuestKind,
  api: Session,
  { node, former, unused, before }: Search,
): Promise<Former | null> {
  const isAttached = before.slots(kind.families.volumes).some((slot) => kind.volumeAt(before, slot) === former);
  if (isAttached) return null;
  const isIt = ({ volid }: { readonly volid: string }) => volid === former;
  const subject = [node, storageOf(former) ?? "", kind.volumeContent] as const;
  const listed = await volumesOn.showing(api, [...subject], (all) => all?.some(isIt) ?? false);
  const found = listed?.find(isIt);
  return found || unused.includes(former) ? { bytes: found?.size, format: found?.format } : null;
}

function planFormer(
  context: GuestPlan,
  { slot, path, size, source }: Wanted,
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
    `\`${slot}\` had \`${volume}\`, which is still there and is attached again with its data.${source === null ? "" : ` \`${source}\` is not read: remove that volume first to make the disk from the image.`}`,
  );
}
