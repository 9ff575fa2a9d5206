import type { GuestUpdate } from "../context.ts";

/** Moves the guest to another pool, or out of its pool. */
export async function changePool({ api, id, desired, prior, signal }: GuestUpdate): Promise<void> {
  const vms = [id.vmid];
  if (desired.pool) await api.pools.update(desired.pool, { vms, "allow-move": true }, { signal });
  else if (prior.pool) await api.pools.update(prior.pool, { vms, delete: true }, { signal });
  api.inventory.forget();
}
