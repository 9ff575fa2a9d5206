import { blockNotNeeded, refuseRightless } from "./rightless.ts";
import type { Session } from "./session.ts";

/**
 * Looks at the cluster as soon as the provider is configured, so that a cluster that cannot be reached, is not trusted or
 * refuses the login, or that lets the caller do nothing, is one error of the run: Terraform then asks for no resource at
 * all. What it looks at is what every plan starts from, and is kept.
 */
export async function reachCluster(api: Session, isWithoutBlock = false): Promise<void> {
  if (api.settings.planChecks === "off") return;
  try {
    const { guests } = await api.inventory.snapshot();
    if (guests.size === 0) await refuseRightless(api, isWithoutBlock);
  } catch (reason) {
    await api.close();
    if (isWithoutBlock && reason instanceof Error) withoutBlock.add(reason);
    throw reason;
  }
}

const withoutBlock = new WeakSet<Error>();

/**
 * Where the configuration has no provider block, Terraform adds an error of its own to any that the provider reports while
 * it is configured: one that asks for such a block, which would not help.
 */
export const remarkOnBlock = (error: Error): string => (withoutBlock.has(error) ? blockNotNeeded : "");
