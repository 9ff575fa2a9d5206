import { attachmentsOf, Failure, isSharedStorage, provenTask, type Session } from "#kit";
import { nodeToAsk } from "../file-place.ts";
import { type DiskId, findVolume, partsOf } from "./disk-volume.ts";
import { attachedTo, isProtected } from "./texts.ts";

interface Removal {
  readonly api: Session;
  readonly id: DiskId;
  readonly state: { readonly destroy_data?: boolean | null | undefined };
  readonly signal: AbortSignal;
}

/** Removes the volume with its data, if that was asked for and no guest has it. */
export async function removeDisk({ api, id, state, signal }: Removal): Promise<void> {
  const { volume } = id;
  const parts = partsOf(volume);
  if (parts === null) return;
  if (state.destroy_data !== true) {
    const { summary, detail } = isProtected(volume);
    throw new Failure(summary, detail, { path: "destroy_data" });
  }
  const node = await nodeToAsk(api, id.node, parts.storage);
  if (node === null) throw new Failure("Node offline", `${volume} is on ${id.node}, which does not answer.`);
  if ((await findVolume(api, { node, volume })) === null) return;
  const isShared = await isSharedStorage(api, parts.storage);
  const attachments = attachmentsOf(api);
  const place = { volume, node: isShared ? null : id.node };
  const holders = await attachments.work.during(() => attachments.untilFree(place, null, signal, () => true));
  const [holder] = holders;
  if (holder !== undefined) {
    const { summary, detail } = await attachedTo(api, volume, holder);
    throw new Failure(summary, `The disk was not changed. ${detail} If this run has freed it meanwhile, apply again.`);
  }
  const unread = isShared ? await attachments.unreadNodes() : [];
  if (unread.length > 0) {
    const detail = `Nothing was changed. ${unread.join(", ")} is offline, and a guest there may have \`${volume}\`. Bring the node back first.`;
    throw new Failure("Not certain that no guest has the disk", detail);
  }
  await provenTask(api, {
    what: `remove ${volume}`,
    node,
    task: { type: "imgdel", id: `${parts.owner}@${parts.storage}` },
    submit: () => api.storage.removeVolume(node, parts.storage, volume, { signal }),
    findMark: async () => ((await findVolume(api, { node, volume })) === null ? "ours" : "absent"),
    signal,
  });
}
