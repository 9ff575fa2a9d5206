import { Failure, type Session, takeOutFirst } from "#kit";
import { setStorages, storagesOf } from "./storages.ts";

export interface PoolPrivateState {
  /** Storages that the last apply configured: this resource has put them there. */
  storages: readonly string[];
}

interface Removal {
  readonly api: Session;
  readonly id: { readonly id: string };
  readonly privateState: PoolPrivateState;
  readonly signal: AbortSignal;
}

/** Removes a pool that holds nothing foreign. Its VMs and inner pools may be going in the same run: a refusal is returned. */
export async function removePool(removal: Removal, remove: () => Promise<void>): Promise<Failure | null> {
  const { api, id, privateState, signal } = removal;
  const found = await api.pools.find(id.id, { signal });
  if (found === null) return null;
  const inside = (await api.pools.list({ signal })).map(({ poolid }) => poolid);
  const foreign = [
    ...found.members.flatMap(({ type, vmid }) =>
      vmid === undefined ? [] : [`${type === "lxc" ? "container" : "VM"} ${vmid}`],
    ),
    ...storagesOf(found).flatMap((one) => (privateState.storages.includes(one) ? [] : [`storage \`${one}\``])),
    ...inside.flatMap((other) => (other.startsWith(`${id.id}/`) ? [`pool \`${other}\``] : [])),
  ];
  if (foreign.length > 0) {
    return new Failure(
      `Pool "${id.id}" is not empty`,
      `It contains ${foreign.join(", ")}. Nothing was changed. ${takeOutFirst}`,
    );
  }
  await setStorages(api, id.id, storagesOf(found), [], signal);
  await remove();
  return null;
}
