import {
  bytesIn,
  enumerate,
  Failure,
  type FileContent,
  type FileId,
  findFile,
  type Logger,
  notImportable,
  parseFileVolume,
  type Report,
  type Session,
} from "#kit";
import { checkPlace, nodeToAsk } from "./file-place.ts";
import { listTogether } from "./file-volume.ts";

interface Reading {
  readonly api: Session;
  readonly id: FileId;
  readonly state: { readonly size_bytes?: number | undefined } | null;
  readonly purpose: "create" | "update" | "refresh" | "import";
  readonly report: Report;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** The file as it is on the storage; null when it is gone. While its node is away it is taken to be as it was. */
export async function observeFile<More extends object>(
  context: Reading,
  more: (seen: { readonly size_bytes: number }) => More,
) {
  const { api, id, state, report, purpose } = context;
  const place = parseFileVolume(id.volume_id);
  if (place === null) return null;
  const node = await nodeToAsk(api, id.node, place.storage);
  const known = state?.size_bytes ?? 0;
  if (node === null) {
    if (state === null) throw notImportable(id.node, id.volume_id);
    report.warning(null, `Node ${id.node} is offline`, `${id.volume_id} is taken to be as it was.`);
    return { ...place, ...id, ...more({ size_bytes: known }) };
  }
  // After a write a shared answer does not do: it may be older.
  const list = purpose === "refresh" ? listTogether(api, node) : undefined;
  const found = await findFile(context, { node, volume_id: id.volume_id }, list);
  if (found === null) return null;
  return { ...place, ...id, ...more({ size_bytes: bytesIn(found) ?? known }) };
}

interface Wanted {
  readonly storage: string;
  readonly node: string | undefined;
  readonly content: FileContent;
}

/** The node the plan has chosen; a plan that was made without the cluster leaves that to the apply. */
export async function nodeOf(
  { api, report }: { readonly api: Session; readonly report: Report },
  { storage, node, content }: Wanted,
): Promise<string> {
  const chosen = node ?? (await checkPlace(api, report, { storage, node: null, content }));
  if (chosen !== undefined) return chosen;
  const { nodes } = await api.inventory.snapshot();
  throw new Failure("Node needed", `Say on which \`node\` the file belongs: ${enumerate(nodes.keys())}.`, {
    path: "node",
  });
}
