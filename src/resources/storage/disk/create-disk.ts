import { attachmentsOf, bytesOf, createOnce, Failure, isSharedStorage, type Report, type Session, sizeOf } from "#kit";
import { attached, type DiskId, existing, fileNameOf, findVolume, idOf, plannedDisks } from "./disk-volume.ts";
import { resolveDisk } from "./resolve-disk.ts";

interface Creation {
  readonly api: Session;
  readonly report: Report;
  readonly signal: AbortSignal;
  readonly privateState: { size: string | null };
  readonly desired: {
    readonly storage: string;
    readonly name: string;
    readonly size: string;
    readonly node?: string | undefined;
    readonly format?: string | undefined;
    readonly owner?: number | undefined;
    readonly on_existing?: string | null | undefined;
  };
}

/** Allocates the volume. One that exists already is taken over only if that is configured. */
export async function createDisk(context: Creation): Promise<DiskId> {
  const { api, desired, report, signal, privateState } = context;
  const { storage, name, size } = desired;
  const wanted = { storage, name, node: desired.node ?? null, format: desired.format ?? null };
  const { node, parts, isFile, volume } = await resolveDisk(api, report, { ...wanted, owner: desired.owner ?? null });
  if (node === undefined || parts === undefined || volume === undefined) {
    throw new Failure("Disk cannot be created", `Storage \`${storage}\` is not available on node ${node ?? "?"}.`);
  }
  const id = { node, volume };
  plannedDisks(api).delete(idOf(id));
  privateState.size = size;
  const found = await findVolume(api, id);
  if (found !== null && desired.on_existing === "adopt") {
    await checkFree(context, id, found.bytes);
    return id;
  }
  const image = {
    vmid: parts.owner,
    filename: fileNameOf(parts, isFile),
    size: `${(bytesOf(size) ?? 0) / 2 ** 20}M`,
    format: parts.format,
  };
  const submit = async () => {
    await api.storage.createVolume(node, storage, image, { signal });
    return null;
  };
  await createOnce({
    api,
    signal,
    find: () => findVolume(api, id),
    make: () => api.operations.write({ what: `create ${volume}`, submit, signal }),
    exists: existing(id, found?.bytes ?? bytesOf(size) ?? 0),
    path: "name",
  });
  return id;
}

/** Only a volume that is certainly meant is taken over. */
async function checkFree({ api, desired, signal }: Creation, { node, volume }: DiskId, bytes: number): Promise<void> {
  if (Math.abs(bytes - (bytesOf(desired.size) ?? 0)) >= 4 * 2 ** 20) {
    const detail = `\`${volume}\` exists and is ${sizeOf(bytes)}, not ${desired.size}, so it is not taken over. Write \`size = "${sizeOf(bytes)}"\` if it is the one you mean, or choose another \`name\`.`;
    throw new Failure("Another disk has this name", detail, { path: "size" });
  }
  const isShared = await isSharedStorage(api, desired.storage);
  const attachments = attachmentsOf(api);
  const place = { volume, node: isShared ? null : node };
  const [holder] = await attachments.work.during(() => attachments.untilFree(place, null, signal));
  if (holder === undefined) return;
  const { summary, detail } = attached({ node, volume }, holder);
  throw new Failure(summary, detail, { path: "name" });
}
