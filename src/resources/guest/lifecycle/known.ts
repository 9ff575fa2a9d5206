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

/**
 * Both at once, in one call: the list of options with their pending changes has the whole configuration. Null: the guest is not
 * there.
 */
export async function configWithPending(
  { kind, api, signal }: GuestQuery,
  guest: GuestAddress,
): Promise<GuestConfig | null> {
  const calls = kind.calls(api);
  const pending = await calls.listPending(guest, { signal }).catch((reason: unknown) => {
    if (isPveError(reason, "not_found")) return null;
    throw reason;
  });
  return pending && (calls.knownConfig(guest) ?? calls.findConfig(guest, { signal }));
}

/** The same for a guest that is about to be changed: what was just read of it is not read again. */
export const configToChange = async (query: GuestQuery, guest: GuestAddress): Promise<GuestConfig | null> =>
  query.kind.calls(query.api).knownConfig(guest) ?? configWithPending(query, guest);
