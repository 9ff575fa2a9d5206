import { enumerate, isPveError, type Report, type Session } from "#kit";

/** The last copy of a key that the nodes have goes with the definition. */
const lastKey =
  "The definition holds the key that the backups are encrypted with. Without it, no backup can be read. Save it first: it is in `/etc/pve/priv/storage/ID.enc` on each node.";

interface BackupServer {
  readonly server?: string | null | undefined;
  readonly datastore?: string | null | undefined;
  readonly encryption_key?: string | null | undefined;
  readonly encryption_key_fingerprint?: string | null | undefined;
}

interface Definition {
  readonly id?: string | undefined;
  readonly pbs?: BackupServer | null | undefined;
}

interface Change {
  readonly config: Definition;
  readonly prior: Definition;
  readonly planned: Definition;
  readonly report: Pick<Report, "error">;
}

/** Refuses to make a definition again without the key that only the nodes have. */
export function guardKey({ config, prior, planned, report }: Change): void {
  const { pbs: before } = prior;
  if (!before?.encryption_key_fingerprint) return;
  const after = planned.pbs;
  const isReplaced =
    planned.id !== prior.id || after?.server !== before.server || after?.datastore !== before.datastore;
  if (!isReplaced || config.pbs?.encryption_key !== null) return;
  const detail = `${lastKey} Then give it as \`encryption_key\`, so that the new definition has it too.`;
  report.error("pbs.encryption_key", "Encryption key would be lost", detail);
}

/** Says what goes with a definition, and who needs it. */
export async function warnOfRemoval(
  api: Session,
  { id, pbs }: { readonly id: string; readonly pbs: BackupServer | null },
  report: Pick<Report, "warning">,
): Promise<void> {
  if (pbs?.encryption_key_fingerprint) report.warning("pbs", "Encryption key is removed", lastKey);
  const owners = await ownersOn(api, id);
  if (owners.length === 0) return;
  const detail = `Storage \`${id}\` has volumes of guest ${enumerate(owners.map(String))}. The data stays, but a guest that is not destroyed as well cannot be started or changed until the storage is defined again.`;
  report.warning(null, "Guests use the storage", detail);
}

/** The guests that have volumes there, as far as a node can tell now. */
async function ownersOn(api: Session, storage: string): Promise<number[]> {
  const { storages, isOnline } = await api.inventory.snapshot();
  const places = storages.filter((one) => one.storage === storage && isOnline(one.node));
  const asked = places.some(({ shared }) => shared) ? places.slice(0, 1) : places;
  const found = await Promise.all(asked.map(({ node }) => volumesOn(api, node, storage)));
  const vmids = found.flat().flatMap(({ content, vmid }) => (isDisk(content) && vmid !== undefined ? [vmid] : []));
  const owners = [...new Set(vmids)].sort((a, b) => a - b);
  const uses = await Promise.all(owners.map((vmid) => usesStorage(api, vmid, storage)));
  return owners.filter((_, index) => uses[index]);
}

/**
 * Whether a line of the guest names the storage. Two storages on one pool, path or export list each other's volumes, and a
 * volume may be left of a guest that is gone. A guest that cannot be read is taken for one that does.
 */
async function usesStorage(api: Session, vmid: number, storage: string): Promise<boolean> {
  const guest = (await api.inventory.snapshot()).guests.get(vmid);
  if (guest === undefined) return false;
  try {
    const config = await (guest.type === "qemu" ? api.qemu : api.lxc).findConfig({ node: guest.node, vmid });
    const lines = Object.values(config?.options ?? {});
    return lines.some((line) => `,${line}`.includes(`,${storage}:`) || `,${line}`.includes(`=${storage}:`));
  } catch (reason) {
    if (!isPveError(reason)) throw reason;
    return true;
  }
}

const isDisk = (content: string | undefined): boolean => content === "images" || content === "rootdir";

/** A storage that cannot be read must not stop the plan that removes it. */
async function volumesOn(api: Session, node: string, storage: string) {
  try {
    return await api.storage.listVolumes(node, storage);
  } catch (reason) {
    if (!isPveError(reason)) throw reason;
    return [];
  }
}
