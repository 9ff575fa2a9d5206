import { alreadyExists, provenWrite, type Session } from "#kit";
import { type MemberKey, memberId, showMember } from "./member-id.ts";

/** The member in its pool; null where it is not, or where the pool does not exist. */
export async function findMember(
  api: Session,
  { pool, vmid, storage }: MemberKey,
  signal: AbortSignal,
  isOneOfMany = false,
): Promise<object | null> {
  const look = () => api.pools.find(pool, { signal });
  const found = await (isOneOfMany ? api.store.together(`members of pool ${pool}`, look) : look());
  return found?.members.find((one) => (vmid === null ? one.storage === storage : one.vmid === vmid)) ?? null;
}

interface MemberChange {
  readonly delete?: boolean;
  readonly "allow-move"?: boolean;
}

/** Puts the member into its pool, or takes it out. */
export async function change(api: Session, key: MemberKey, how: MemberChange, signal: AbortSignal): Promise<void> {
  const { pool, vmid, storage } = key;
  const member = vmid === null ? { storage: [storage ?? ""] } : { vms: [vmid] };
  const write = () => api.pools.update(pool, { ...member, ...how }, { signal });
  const isDone = async () => ((await findMember(api, key, signal)) === null) === (how.delete === true);
  try {
    await provenWrite(api, { write, isDone, signal });
  } finally {
    api.inventory.forget();
  }
}

export const memberExists = (key: MemberKey) =>
  alreadyExists({
    type: "proxmox_pool_member",
    id: memberId(key),
    label: `Member ${showMember(key)} of pool "${key.pool}"`,
    otherwise:
      "If `pool` of a `proxmox_vm`, or `storages` of the `proxmox_pool`, has put it there, it belongs to that resource: remove this one.",
  });
