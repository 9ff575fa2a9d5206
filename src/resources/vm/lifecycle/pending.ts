import type { Session } from "#kit";
import type { VmAddress } from "#pve";
import { readRunning } from "../running.ts";

/** Options whose change waits for the next start. */
export const pendingOptions = async (api: Session, vm: VmAddress, signal?: AbortSignal): Promise<string[]> =>
  [...(await readRunning(api, vm, signal)).leftovers].sort();
