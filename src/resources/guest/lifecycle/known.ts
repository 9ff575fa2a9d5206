import { isPveError } from "#kit";
import type { GuestAddress, GuestConfig, PendingOption } from "#pve";
import type { GuestQuery } from "../context.ts";

/** The configuration as it was last read, if this process has not changed the guest since; otherwise read now. */
export const configOf = async ({ kind, api, signal }: GuestQuery, guest: GuestAddress): Promise<GuestConfig> =>
  kind.calls(api).knownConfig(guest) ?? kind.calls(api).getConfig(guest, {}, { signal });

/** The same for the options with their pending changes. */
export const pendingOf = async (
  { kind, api, signal }: GuestQuery,
  guest: GuestAddress,
): Promise<readonly PendingOption[]> =>
  kind.calls(api).knownPending(guest) ?? kind.calls(api).listPending(guest, { signal });

/** Both at once, for a guest that is about to be changed. Null: it is not there. */
export async function configToChange(
  { kind, api, signal }: GuestQuery,
  guest: GuestAddress,
): Promise<GuestConfig | null> {
  const calls = kind.calls(api);
  const known = calls.knownConfig(guest);
  if (known) return known;
  const pending = await calls.listPending(guest, { signal }).catch((reason: unknown) => {
    if (isPveError(reason, "not_found")) return null;
    throw reason;
  });
  return pending && (calls.knownConfig(guest) ?? calls.findConfig(guest, { signal }));
}
