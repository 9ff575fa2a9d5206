import { alternatives, checkReference, enumerate, type Report, type Session } from "#kit";

export interface StorageUse {
  readonly path: readonly string[];
  readonly storage: string;
  readonly content: "images" | "rootdir" | "iso" | "import" | "snippets" | "vztmpl" | "backup";
  readonly node: string | undefined;
}

/**
 * Refuses a storage that is not on the node, or is not set up for the content. Returns whether it can be looked at: one
 * that this plan makes cannot, and neither can one that is hidden from the caller.
 */
export async function checkStorage(
  { report }: { readonly report: Pick<Report, "error"> },
  api: Session,
  use: StorageUse,
): Promise<boolean> {
  const { path, storage, content, node } = use;
  if (api.planned.has("storage", storage)) return false;
  const { storages } = await api.inventory.snapshot();
  const here = storages.filter((entry) => node === undefined || entry.node === node);
  const suitable = here.filter((entry) => entry.content?.includes(content) ?? true).map((entry) => entry.storage);
  const found = here.find((entry) => entry.storage === storage);
  if (found === undefined) {
    const among = { names: suitable, where: node === undefined ? "" : `on ${node}` };
    await checkReference(api, report, { kind: "storage", name: storage, path, among });
    return false;
  }
  if (!found.content || found.content.includes(content)) return true;
  report.error(
    path,
    "Storage does not take it",
    `Storage \`${storage}\` is set up for ${enumerate(found.content)}, not for \`${content}\`. Add \`${content}\` to its content, or use another one. ${alternatives(storage, suitable)}`,
  );
  return false;
}
