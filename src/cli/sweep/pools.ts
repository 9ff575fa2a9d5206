import type { PveClient } from "#pve";
import type { Leftover } from "./leftover.ts";

/** Pools inside the pool whose own name starts with the prefix, the innermost first. A pool with guests stays. */
export async function leftPools(client: PveClient, pool: string, prefix: string): Promise<Leftover[]> {
  const inside = (await client.pools.list())
    .map(({ poolid }) => poolid)
    .filter((id) => id.startsWith(`${pool}/${prefix}`))
    .sort((one, other) => other.length - one.length);
  const found = await Promise.all(inside.map(async (id) => ({ id, ...(await client.pools.get(id)) })));
  return found.map(({ id, members }) => {
    const storage = members.flatMap((member) => member.storage ?? []);
    const guests = members.flatMap(({ vmid }) => vmid ?? []);
    return {
      title: `pool ${id}`,
      details: ["", `${members.length} members`],
      obstacle: guests.length > 0 ? `has guests: ${guests.join(", ")}` : undefined,
      async remove() {
        if (storage.length > 0) await client.pools.update(id, { storage, delete: true });
        await client.pools.remove(id);
      },
    };
  });
}
