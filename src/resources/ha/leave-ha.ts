import { type Logger, type Session, step } from "#kit";
import { untilManagerActs } from "../guest/await-ha.ts";
import { parseSid } from "./sid.ts";

interface Removal {
  readonly api: Session;
  readonly log: Logger;
  readonly id: { readonly sid: string };
  readonly signal: AbortSignal;
  readonly hasSuccessor: boolean;
}

/**
 * It is out of the configuration at once; the manager lets go of the guest in its next round. Where the same guest comes
 * back in this run, rules keep it: nothing would put it back into them.
 */
export async function leaveHa(
  { api, log, id: { sid }, hasSuccessor, signal }: Removal,
  remove: (besides?: { readonly purge: boolean }) => Promise<void>,
): Promise<void> {
  const vmid = parseSid(sid)?.vmid ?? 0;
  await step(log, "leave HA", { vmid }, async () => {
    await remove(hasSuccessor ? { purge: false } : undefined);
    api.inventory.forget();
    const isForgotten = async () => (await api.inventory.snapshot()).guests.get(vmid)?.hastate === undefined;
    await untilManagerActs({ api, signal }, { node: "", vmid }, "to forget the guest", isForgotten);
  });
}
