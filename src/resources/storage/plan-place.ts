import {
  checkPrivileges,
  type FileContent,
  findFile,
  isSharedStorage,
  type Logger,
  type Need,
  type Report,
  type Session,
} from "#kit";
import { checkPlace, needsToPut } from "./file-place.ts";
import { fileExists, idOf } from "./file-volume.ts";

interface Place {
  readonly storage?: string | undefined;
  readonly node?: string | undefined;
  readonly volume_id?: string | undefined;
}

/** The plan of a file, however its content comes to the storage. */
export interface FilePlan {
  readonly config: {
    readonly storage: string | undefined;
    readonly node: string | null | undefined;
    readonly content: FileContent | undefined;
    readonly overwrite: boolean | null | undefined;
  };
  readonly planned: Place & { readonly name?: string | undefined; readonly content?: FileContent | undefined };
  readonly prior: Place | null;
  readonly changes: ReadonlySet<string>;
  readonly report: Report;
  readonly log: Logger;
  readonly signal: AbortSignal;
  set(path: readonly string[], value: unknown): void;
  setUnknown(path: readonly string[]): void;
  keep(path: readonly string[]): void;
}

/** The volume ID is known as soon as its parts are. */
export function planVolumeId(context: FilePlan): void {
  const { storage, content, name } = context.planned;
  const isKnown = storage !== undefined && content !== undefined && name !== undefined;
  if (isKnown) context.set(["volume_id"], `${storage}:${content}/${name}`);
  else context.setUnknown(["volume_id"]);
}

/** Refuses a place where the file cannot go, missing privileges, and a name that another file has. */
export async function planPlace(
  type: string,
  context: FilePlan,
  api: Session,
  needs: (node: string | undefined) => readonly Need[] = () => [],
): Promise<void> {
  const { config, prior, planned, report } = context;
  // If the file is refused, that is one error: a guest that refers to it has no second one about a missing file.
  if (prior === null && planned.volume_id !== undefined) api.planned.add("file", planned.volume_id);
  if (await isSameFile(api, context)) context.keep(["node"]);
  const wish = config.node === null ? (prior?.node ?? null) : config.node;
  const node = await checkPlace(api, report, { ...config, node: wish });
  if (report.failed) return;
  if (config.node === null && prior === null && node !== undefined) context.set(["node"], node);
  if (config.storage) {
    await checkPrivileges({ report, api, needs: [...needsToPut(config.storage), ...needs(node)] });
  }
  if (prior === null && !report.failed) await guardName(type, context, api);
}

/** On a shared storage another node is another way to the same file. */
async function isSameFile(api: Session, { config, prior }: FilePlan): Promise<boolean> {
  if (!config.node || !prior?.storage || prior.node === config.node || prior.storage !== config.storage) return false;
  return isSharedStorage(api, config.storage);
}

async function guardName(type: string, context: FilePlan, api: Session): Promise<void> {
  const { config, planned, report } = context;
  const { node, volume_id } = planned;
  if (volume_id === undefined || node === undefined || config.overwrite === undefined) return;
  const id = { node, volume_id };
  const found = api.managed.has(type, idOf(id)) ? null : await findFile({ ...context, api }, id);
  if (found === null) return;
  const { summary, detail } = fileExists(type, id, found);
  if (config.overwrite) report.warning("overwrite", "A file is overwritten", `${volume_id} exists on ${node} already.`);
  else report.error("name", summary, detail);
}
