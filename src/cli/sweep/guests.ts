import type { GuestAddress, InventoryGuest, PveClient } from "#pve";
import { type Leftover, Stays } from "./leftover.ts";

interface Wanted {
  readonly pool: string;
  readonly prefix: string;
  /** Whether templates are removed, too. */
  readonly templates: boolean;
}

type GuestType = "qemu" | "lxc";

/** Guests that are members of the pool and whose name starts with the prefix, in the order of their VMIDs. */
export async function leftGuests(client: PveClient, wanted: Wanted): Promise<Leftover[]> {
  const { pool, prefix, templates } = wanted;
  const { members } = await client.pools.get(pool);
  const inPool = new Set(members.flatMap(({ vmid }) => vmid ?? []));
  const listed = await Promise.all(
    (["qemu", "lxc"] as const).map(async (type) => {
      const guests = await client.inventory.list(type);
      const chosen = guests.filter(({ vmid, name }) => inPool.has(vmid) && name?.startsWith(prefix));
      return Promise.all(
        chosen.map(async (guest) => ({ type, guest, obstacle: await obstacleTo(client, type, guest, templates) })),
      );
    }),
  );
  // A linked clone has to go before its template.
  const later = (guest: InventoryGuest) => (guest.isTemplate ? 1 : 0);
  return listed
    .flat()
    .sort((one, other) => later(one.guest) - later(other.guest) || one.guest.vmid - other.guest.vmid)
    .map(({ type, guest, obstacle }) => ({
      title: `${guest.vmid} (${guest.name})`,
      details: [guest.node, guest.status],
      obstacle,
      async remove() {
        const change = await changeSince(client, type, guest, wanted);
        if (change !== undefined) throw new Stays(change);
        await destroy(client, type, guest);
      },
    }));
}

/** What has happened to it while others were removed: another may have got its VMID, its name or its place by now. */
async function changeSince(
  client: PveClient,
  type: GuestType,
  guest: InventoryGuest,
  { pool, prefix, templates }: Wanted,
): Promise<string | undefined> {
  const { node, vmid } = guest;
  const { options } = await client[type].getConfig({ node, vmid });
  const name = options[type === "qemu" ? "name" : "hostname"];
  if (!name?.startsWith(prefix)) return `its name is ${name} now`;
  const { members } = await client.pools.get(pool);
  if (!members.some((member) => member.vmid === vmid)) return `it has left the pool "${pool}"`;
  return obstacleTo(client, type, guest, templates);
}

async function obstacleTo(
  client: PveClient,
  type: GuestType,
  guest: InventoryGuest,
  templates: boolean,
): Promise<string | undefined> {
  if (guest.isTemplate && !templates) return "is a template";
  if (guest.isStale) return `its node ${guest.node} is offline`;
  const { node, vmid } = guest;
  const { options, lock } = await client[type].getConfig({ node, vmid });
  if (options["protection"] === "1") return "is protected";
  return lock === undefined ? undefined : `is locked (${lock})`;
}

async function destroy(client: PveClient, type: GuestType, { node, vmid, status }: InventoryGuest): Promise<void> {
  const guest: GuestAddress = { node, vmid };
  const power = type === "qemu" ? client.power : client.containerPower;
  if (status === "running")
    await client.operations.run(guest, { what: `stop ${vmid}`, submit: () => power.stop(guest) });
  await client.operations.run(guest, {
    what: `destroy ${vmid}`,
    submit: () => client[type].remove(guest, { purge: true }),
  });
}
