import { repeatableWrite } from "#kit";
import type { GuestUpdate } from "../context.ts";

/** Moves the guest to another pool, or out of its pool. */
export async function changePool({ api, id, desired, prior, signal }: GuestUpdate): Promise<void> {
  const vms = [id.vmid];
  const { pool } = desired;
  const { pool: left } = prior;
  const isDone = async () => {
    api.inventory.forget();
    return ((await api.inventory.locate(id.vmid))?.pool ?? "") === (pool || "");
  };
  const send = (write: () => Promise<unknown>) => repeatableWrite(api, { write, isDone, signal });
  if (pool) await send(() => api.pools.update(pool, { vms, "allow-move": true }, { signal }));
  else if (left) await send(() => api.pools.update(left, { vms, delete: true }, { signal }));
  api.inventory.forget();
}
