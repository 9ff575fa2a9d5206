import { provenWrite, type Session } from "#kit";
import type { Pool } from "#pve";

export const storagesOf = ({ members }: Pool): string[] => members.flatMap(({ storage }) => storage ?? []);

/** PVE adds members or takes them out, each in a call of its own, and refuses to add what is there. */
export async function setStorages(
  api: Session,
  poolid: string,
  before: readonly string[],
  wanted: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const added = wanted.filter((storage) => !before.includes(storage));
  const gone = before.filter((storage) => !wanted.includes(storage));
  const change = async (storage: readonly string[], isRemoval: boolean): Promise<void> => {
    if (storage.length === 0) return;
    const write = () => api.pools.update(poolid, { storage, ...(isRemoval && { delete: true }) }, { signal });
    const isDone = async () => {
      const now = storagesOf(await api.pools.get(poolid, { signal }));
      return storage.every((one) => now.includes(one) !== isRemoval);
    };
    await provenWrite(api, { write, isDone, signal });
  };
  await change(added, false);
  await change(gone, true);
}
