import type { ConfigDraft } from "#kit";
import type { ContainerDesired } from "../contexts.ts";
import { isHostPath, isMountSlot, volumeAt } from "../slots.ts";

/**
 * PVE checks tags of a new container without its pool, protects one that is not complete, and overwrites the process of an
 * OCI image. What it reserves for root@pam is set by a call of its own.
 */
export function isSetLater(option: string, { draft }: { readonly draft: ConfigDraft }): boolean {
  if (/^(tags|protection|env|entrypoint|hookscript|dev\d+)$/.test(option)) return true;
  if (isMountSlot(option)) return isHostPath(volumeAt(draft, option));
  return option === "features" && String(draft.raw(option)) !== "nesting=1";
}

/** What a create takes besides the settings. */
export function createParameters({ image, password, ssh_keys: keys, unprivileged }: ContainerDesired) {
  return {
    ostemplate: image?.volume ?? "",
    ...(password && { password }),
    ...(keys && keys.length > 0 && { "ssh-public-keys": keys.map((key) => key.trim()).join("\n") }),
    ...(unprivileged !== undefined && unprivileged !== null && { unprivileged }),
  };
}
