import { isProvenMissing, isPveError, type Session } from "#kit";

/**
 * Looks at or changes something that a user owns: null if the user is gone, and all that it owned with it. Proxmox VE decides
 * by the user's groups, so it refuses every caller but root@pam if there is no such user, as if a privilege were missing
 * (pve-access-control: src/PVE/RPCEnvironment.pm, `userid-group`).
 */
export async function belowUser<T>(api: Session, user: string, work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (reason) {
    if (isPveError(reason, "permission") && (await isGone(api, user))) return null;
    throw reason;
  }
}

/** A caller who may not see users does not know. */
export const isGone = (api: Session, user: string): Promise<boolean> =>
  isProvenMissing(api, { kind: "user", name: user });
